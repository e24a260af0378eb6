import type { Scenario } from '../../testing/index.ts'
import type { FoundBox, SourceOutput } from '../../tools/index.ts'

export const box = (id: string, label: string, score: number, at: number): FoundBox => ({
  ...{ id, label, score, box: [at, 4, at + 20, 40] },
})
export const page = (host: string, title: string, snippet: string) => ({
  ...{ title, snippet, url: `https://${host}/page`, kind: 'page' },
})
export const ok = (reply: SourceOutput) => ({ ok: reply })

/** Every tool of the graph is there, so that feasible sets can be compared with it. */
export const REST = [
  { tool: 'caption', reply: ok({ text: 'a tall building' }) },
  { tool: 'vqa', reply: ok({ text: 'a building' }) },
  { tool: 'ocr', reply: ok({ lines: [] }) },
  { tool: 'kb_lookup', reply: ok({ entries: [] }) },
  { tool: 'llm_qa', reply: ok({ text: 'unknown' }) },
  { tool: 'open_page', reply: ok({ text: '' }) },
] as const

export const HAPPY: Scenario = {
  question: 'How many elevators does this building have?',
  llm: {
    decompose: [
      {
        visual: 'Which building is this?',
        knowledge: 'How many elevators does # have?',
        entities: 1,
        answerType: 'number',
      },
    ],
    plan: [{ tool: 'detect' }, { tool: 'image_search' }, { tool: 'web_search' }],
    select: [{ id: 'b1', why: 'the building' }],
    reason: [
      {
        verdict: 'answer',
        candidates: [
          { answer: 'Torre Picasso', support: [{ entry: 'e1', quote: 'Torre Picasso' }] },
        ],
      },
      {
        verdict: 'answer',
        candidates: [
          {
            answer: '26',
            support: [
              { entry: 'e1', quote: '26 elevators in total' },
              { entry: 'e3', quote: 'has 26 lifts' },
              { entry: 'e5', quote: 'a total of 26' },
            ],
          },
        ],
        claims: [
          { text: '18 serve offices', entry: 'e2', quote: '18 of them serve the office floors' },
        ],
      },
    ],
  },
  tools: [
    {
      tool: 'detect',
      reply: ok({ boxes: [box('b1', 'building', 0.9, 2), box('b2', 'car', 0.6, 30)] }),
    },
    { tool: 'image_search', reply: ok({ entries: [{ title: 'Torre Picasso', kind: 'entity' }] }) },
    {
      tool: 'web_search',
      args: { q: 'How many elevators does Torre Picasso have?' },
      reply: ok({
        entries: [
          page('a.example', 'Torre Picasso', 'The tower has 26 elevators in total.'),
          page('b.example', 'Offices', 'There are lifts; 18 of them serve the office floors.'),
          page('c.example', 'Madrid towers', 'Torre Picasso has 26 lifts.'),
          page('d.example', 'Lifts', '18 elevators go to the office floors of the tower.'),
          page('e.example', 'Facts', 'It was fitted with a total of 26.'),
        ],
      }),
    },
    ...REST,
  ],
}
