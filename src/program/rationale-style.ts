/** The look of the rationale: readable on light and dark, narrow and wide, on paper. */
export const RATIONALE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fcfcfb; --card: #ffffff; --ink: #1c1d20; --quiet: #5d626b; --rule: #dfe1e5;
  --tool: #b3151a; --result: #0b6b2e; --variable: #1746b5; --argument: #94480a;
  --warn-ground: #fff6dd; --warn: #6b4a00; --bad-ground: #fdeaea; --bad: #9d1016;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #16181c; --card: #1e2126; --ink: #e8e9ec; --quiet: #a3a9b4; --rule: #363b44;
    --tool: #ff8b88; --result: #6fdc96; --variable: #94b6ff; --argument: #f5b267;
    --warn-ground: #36300f; --warn: #f2d680; --bad-ground: #401c1e; --bad: #ffa9a9;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 2.25rem 0 .5rem; color: var(--quiet); font-weight: 600;
  letter-spacing: .02em; }
img { height: auto; border-radius: 6px; vertical-align: middle; }
.answer { display: flex; gap: .75rem 1.5rem; flex-wrap: wrap; align-items: center;
  background: var(--card); border: 1px solid var(--rule); border-radius: 12px;
  padding: 1rem 1.25rem; }
.answer .words { font-size: 1.35rem; font-weight: 700; color: var(--result);
  overflow-wrap: anywhere; }
.answer.bad .words { color: var(--bad); }
.inputs { display: flex; gap: 1rem; flex-wrap: wrap; margin: 1rem 0 0; }
figure { margin: 0; }
figcaption { color: var(--quiet); font-size: .85rem; margin-top: .3rem; overflow-wrap: anywhere; }
hr { border: 0; border-top: 1px solid var(--rule); margin: 1rem 0; }
code, .call, .block, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: .92rem; }
.line { margin: 0 0 .6rem; display: flex; gap: .7rem; align-items: baseline; }
.call, .values code, .unrun code { overflow-wrap: anywhere; unicode-bidi: isolate; }
.call img { margin: 0 .15rem 0 .45rem; }
.number { flex: none; min-width: 1.7rem; height: 1.7rem; line-height: 1.7rem; text-align: center;
  border-radius: 99px; background: var(--rule); font-size: .8rem; font-weight: 600; }
.tool { color: var(--tool); } .result { color: var(--result); }
.variable { color: var(--variable); } .argument { color: var(--argument); }
section > :is(.values, figure, .grid, .pair, .notice, .error, details, .quiet, img) {
  margin: .5rem 0 .5rem 2.4rem; }
.step > img { display: block; }
.values { color: var(--quiet); }
.values::before { content: "with values: "; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
  gap: .9rem; max-width: 57rem; }
.pair { display: flex; flex-wrap: wrap; gap: .9rem; align-items: start; }
.notice { background: var(--warn-ground); color: var(--warn); padding: .4rem .75rem;
  border-radius: 8px; font-size: .9rem; }
.error { background: var(--bad-ground); color: var(--bad); padding: .6rem .75rem;
  border-radius: 8px; overflow-wrap: anywhere; }
.failed .number { background: var(--bad); color: var(--ground); }
.unrun { opacity: .62; display: flex; gap: .75rem; flex-wrap: wrap; align-items: baseline;
  padding-left: 2.4rem; }
.badge { border: 1px solid var(--rule); border-radius: 99px; padding: 0 .6rem; font-size: .78rem;
  color: var(--quiet); white-space: nowrap; }
.block { color: var(--quiet); margin: .25rem 0; }
.depth1 { margin-left: 1.5rem; } .depth2 { margin-left: 3rem; } .depth3 { margin-left: 4.5rem; }
.quiet, summary, details { color: var(--quiet); font-size: .88rem; }
details ul { margin: .3rem 0; padding-left: 1.1rem; }
summary { cursor: pointer; }
pre { background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: .8rem 1rem; overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
td, th { text-align: left; padding: .25rem 1rem .25rem 0; vertical-align: top;
  overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 500; }
@media (max-width: 40rem) { .depth1, .depth2, .depth3 { margin-left: .5rem; }
  section > :is(.values, figure, .grid, .pair, .notice, .error, details, .quiet, img) {
  margin-left: 0; } .unrun { padding-left: 0; } }
@media print { details { display: none; } .step { break-inside: avoid; } }
`
