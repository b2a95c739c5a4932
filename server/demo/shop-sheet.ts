/** The stylesheet of the demo shop. It looks like another site on purpose. */
export const shopSheet = `
:root {
  color-scheme: light dark;
  --canvas: #fdf9f4; --surface: #ffffff; --line: #eadfd2;
  --ink: #2a211b; --ink-2: #5c4d42; --ink-3: #6f5f53;
  --brand: #9a3d1b; --on-brand: #ffffff; --mark: #e4f2ef; --mark-ink: #0a625a; --warn: #7f4504;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #14100d; --surface: #1c1713; --line: #352b24; --ink: #f4ede7; --ink-2: #c9bbb0;
    --ink-3: #a8998d;
    --brand: #e9905f; --on-brand: #1c0d05; --mark: #10302c; --mark-ink: #58cbbc; --warn: #ebb45c;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--canvas); color: var(--ink);
  font: 16px/1.5 Georgia, 'Times New Roman', serif; overflow-wrap: anywhere;
}
.mark {
  position: sticky; top: 0; z-index: 1; margin: 0; padding: 8px 20px; text-align: center;
  background: var(--mark); color: var(--mark-ink); font: 13px/20px Inter, system-ui, sans-serif;
}
.mark strong { margin-right: 8px; }
header, main { max-width: 1000px; margin: 0 auto; padding: 0 20px; }
header {
  display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: baseline; justify-content: space-between;
  padding-block: 20px; border-bottom: 1px solid var(--line);
}
.name { font-size: 24px; font-weight: 700; letter-spacing: -0.01em; color: var(--brand); }
.address, .quiet { color: var(--ink-3); font-size: 14px; }
main { padding-block: 28px 72px; }
.columns { display: grid; gap: 28px 40px; grid-template-columns: minmax(0, 1fr); align-items: start; }
h1 { margin: 0 0 12px; font-size: 28px; line-height: 1.25; text-wrap: balance; }
h2 { margin: 0 0 12px; font-size: 18px; }
p { margin: 0 0 12px; text-wrap: pretty; }
section + section, .columns + section { margin-top: 36px; }
.text { white-space: pre-line; color: var(--ink-2); max-width: 68ch; }
.picture {
  display: block; width: 100%; height: auto; aspect-ratio: 4 / 3; object-fit: cover; margin-bottom: 20px;
  border: 1px solid var(--line); border-radius: 8px;
}
.box { padding: 24px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.box > :last-child { margin-bottom: 0; }
.receipt { max-width: 560px; }
dl { margin: 0 0 20px; }
dl div { display: flex; justify-content: space-between; gap: 24px; padding: 10px 0;
  border-top: 1px solid var(--line); }
dt { color: var(--ink-2); flex-shrink: 0; max-width: 60%; }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.total { font-weight: 700; }
.total dt { color: var(--ink); }
.number { font: 700 30px/1.3 ui-monospace, monospace; user-select: all; }
.warning { color: var(--warn); font-weight: 700; }
button {
  width: 100%; min-height: 48px; margin-bottom: 12px; border: 0; border-radius: 6px; cursor: pointer;
  background: var(--brand); color: var(--on-brand); font: 700 17px Georgia, serif;
}
a { color: var(--brand); }
a:focus-visible, button:focus-visible { outline: 2px solid var(--mark-ink); outline-offset: 2px; }
article { padding: 16px 0; border-top: 1px solid var(--line); }
article p { margin-bottom: 4px; }
code { font-size: 14px; }
@media (min-width: 760px) { .columns { grid-template-columns: minmax(0, 1fr) 320px; } }
`
