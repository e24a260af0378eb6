import { readFileSync } from 'node:fs'

interface Golden {
  readonly serialize: readonly { turn_json: string; text: string }[]
  readonly parse: readonly {
    text: string
    match: readonly string[] | null
    actions_json: string | null
    via: string | null
  }[]
  readonly python_repr: readonly { json: string; repr: string }[]
  readonly python_round2: readonly { json: string; repr: string }[]
  readonly python_strip: readonly { text: string; strip: string }[]
  readonly strings: Readonly<Record<string, string>>
  readonly templates: Readonly<
    Record<
      string,
      {
        system: string
        roles: readonly [string, string]
        style: string
        sep: string
        sep2: string | null
        stop: string
      }
    >
  >
  readonly template_choice: readonly (readonly [string, string])[]
  readonly prompts: readonly {
    template: string
    case: string
    messages: readonly (string | null)[]
    image_on_first: boolean
    prompt: string
  }[]
  readonly turn: {
    question: string
    first_answer: string
    tool_reply_json: string
    first_request: Readonly<Record<string, unknown>> & { prompt: string; stop: string }
    second_request: Readonly<Record<string, unknown>> & { prompt: string; stop: string }
    calls: readonly string[]
    other_templates: Readonly<Record<string, { stop: string; second_prompt: string }>>
  }
  readonly sketch_turn: Readonly<Record<string, string>> & {
    mask_rect: readonly number[]
    image: readonly number[]
  }
  readonly tool_requests: readonly {
    actions: readonly { API_name: string; API_params: Readonly<Record<string, unknown>> }[]
    body_keys_in_order: readonly string[]
    body: Readonly<Record<string, unknown>>
    routed_to: string
  }[]
  readonly tool_results: readonly { api_name: string; reply_json: string; turn: string }[]
  readonly frames: Readonly<Record<string, string>> & { request: { prompt: string } }
  readonly controller: readonly {
    method: string
    path: string
    body: string
    status: number
    content_type: string | null
    reply: string
    allow?: string
    location_path?: string
  }[]
  readonly dispatch: {
    register: readonly unknown[]
    ask_m_five_times: readonly string[]
    then_heartbeat: unknown
    ask_m2_three_times: readonly string[]
  }
  readonly rle: readonly {
    name: string
    size_hw: readonly [number, number]
    rows?: readonly string[]
    rect_x0y0x1y1?: readonly [number, number, number, number]
    counts: string
    area: number
    bbox_xywh?: readonly number[]
  }[]
  readonly image_sizes_wh: readonly {
    image: readonly [number, number]
    to_model: readonly number[]
    to_tools: readonly number[]
  }[]
  readonly image_hash: readonly {
    image: readonly [number, number]
    solid_rgb: readonly [number, number, number]
    md5_of_raw_rgb_bytes_of_the_model_size_image: string
  }[]
  readonly sketch_boxes: readonly {
    image: readonly [number, number]
    mask_rect_x0y0x1y1: readonly [number, number, number, number]
    line: string
  }[]
  readonly training_text: {
    sample: readonly Readonly<Record<string, unknown>>[]
    version: string
    text: string
    learned: readonly string[]
  }
  readonly [rest: string]: unknown
}

/** The golden wire facts of the protocol, for tests only. */
export const golden = JSON.parse(
  readFileSync(new URL('./fixtures/golden.json', import.meta.url), 'utf8'),
) as Golden
