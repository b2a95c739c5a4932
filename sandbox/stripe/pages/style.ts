export const style = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f8faf9, #0c100f);
  --surface: light-dark(#ffffff, #121716);
  --line: light-dark(#d5dcd9, #313b38);
  --line-strong: light-dark(#828d8a, #6d7976);
  --ink: light-dark(#131a19, #edf1f0);
  --ink-2: light-dark(#46524f, #b2bdba);
  --accent: light-dark(#0b6a61, #34b3a3);
  --on-accent: light-dark(#ffffff, #03211d);
  --accent-ink: light-dark(#0a625a, #58cbbc);
  --accent-soft: light-dark(#e4f2ef, #10302c);
  --warning-ink: light-dark(#7f4504, #ebb45c);
  --warning-soft: light-dark(#fcf1de, #30240f);
  --danger-ink: light-dark(#a3261e, #f59389);
  --danger-soft: light-dark(#fcecea, #361815);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--canvas); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
.test {
  margin: 0;
  padding: 8px 16px;
  text-align: center;
  background: var(--warning-soft);
  color: var(--warning-ink);
}
main { margin: 0 auto; padding: 24px 16px 48px; }
.single { max-width: 640px; }
.two { max-width: 1000px; display: grid; gap: 24px; }
@media (min-width: 800px) { .two { grid-template-columns: 1fr 1.15fr; gap: 56px; padding-top: 48px; } }
.card {
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 12px;
  padding: 20px;
  margin: 0 0 16px;
}
.due { border-color: var(--danger-ink); }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 1.125rem; margin: 0 0 12px; }
p { margin: 0 0 12px; }
.price strong { font-size: 2rem; }
.lines { margin: 24px 0; }
.lines div {
  display: flex;
  justify-content: space-between;
  gap: 16px;
  padding: 10px 0;
  border-bottom: 1px solid var(--line);
}
.lines dd { margin: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.total { font-weight: 600; }
fieldset { border: 0; padding: 0; margin: 0 0 20px; }
legend { font-weight: 600; padding: 0; margin-bottom: 8px; }
.choice {
  display: flex;
  align-items: center;
  gap: 10px;
  min-height: 44px;
  padding: 8px 12px;
  border: 1px solid var(--line);
  margin-top: -1px;
  cursor: pointer;
}
.choice:first-of-type { border-radius: 8px 8px 0 0; }
.choice:last-of-type { border-radius: 0 0 8px 8px; }
.choice:has(:checked) { background: var(--accent-soft); }
.choice input { width: 18px; height: 18px; margin: 0; flex: none; accent-color: var(--accent); }
.choice-label { flex: 1; }
.number { color: var(--ink-2); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.field { margin: 0 0 20px; }
.field label { display: block; font-weight: 600; margin-bottom: 6px; }
.field input, .field select {
  width: 100%;
  min-height: 44px;
  padding: 8px 12px;
  font: inherit;
  color: inherit;
  background: var(--canvas);
  border: 1px solid var(--line-strong);
  border-radius: 8px;
}
.field input[readonly] { color: var(--ink-2); border-style: dashed; }
.hint { color: var(--ink-2); font-size: 0.875rem; margin: 8px 0 0; }
.button {
  display: inline-block;
  min-height: 44px;
  padding: 10px 18px;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  color: var(--on-accent);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 8px;
  cursor: pointer;
}
form > .button { width: 100%; }
.quiet { color: var(--ink); background: transparent; border-color: var(--line-strong); }
.actions { display: grid; gap: 12px; }
.error { padding: 12px; border-radius: 8px; background: var(--danger-soft); color: var(--danger-ink); }
.done { padding: 12px; border-radius: 8px; background: var(--accent-soft); color: var(--accent-ink); }
a { color: var(--accent-ink); }
a.button { color: var(--on-accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.scroll { position: relative; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; overflow-wrap: normal; }
th, td {
  text-align: left;
  padding: 8px 12px 8px 0;
  border-bottom: 1px solid var(--line);
  white-space: nowrap;
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
`
