/** The stylesheet of the demo mailbox. */
export const mailboxSheet = `
:root {
  color-scheme: light dark;
  --canvas: #f8faf9; --surface: #ffffff; --hover: #f1f4f3; --line: #e2e7e5; --line-strong: #828d8a;
  --ink: #131a19; --ink-2: #46524f; --ink-3: #5b6764; --accent-ink: #0a625a; --focus: #0d857a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0c100f; --surface: #121716; --hover: #181e1d; --line: #242c2a; --line-strong: #6d7976;
    --ink: #edf1f0; --ink-2: #b2bdba; --ink-3: #939f9c; --accent-ink: #58cbbc; --focus: #4bc4b4;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 32px 16px 64px; background: var(--canvas); color: var(--ink);
  font: 14px/1.5 Inter, system-ui, -apple-system, 'Segoe UI', sans-serif;
}
main { max-width: 760px; margin: 0 auto; }
.bar { display: flex; align-items: center; gap: 12px; max-width: 760px; margin: 0 auto 24px; }
.bar nav { display: flex; gap: 16px; margin-left: auto; }
.mark {
  padding: 2px 8px;
  border: 1px solid var(--line-strong);
  border-radius: 999px;
  font-size: 12px;
  font-weight: 500;
  color: var(--accent-ink);
}
.person { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 16px; padding: 14px 16px; }
.code { margin-left: auto; font-size: 20px; font-variant-numeric: tabular-nums; letter-spacing: 0.08em; }
h1 {
  margin: 0;
  font-size: 22px;
  line-height: 30px;
  font-weight: 600;
  letter-spacing: -0.015em;
  overflow-wrap: anywhere;
}
h2 { margin: 28px 0 8px; font-size: 14px; font-weight: 600; }
p { margin: 4px 0 0; }
a { color: var(--accent-ink); }
a:focus-visible, button:focus-visible, input:focus-visible, iframe:focus-visible {
  outline: 2px solid var(--focus); outline-offset: 2px;
}
nav { margin-bottom: 12px; }
.quiet { color: var(--ink-3); }
.head {
  display: flex;
  flex-wrap: wrap;
  gap: 12px 24px;
  align-items: flex-start;
  justify-content: space-between;
}
.button {
  display: inline-flex;
  align-items: center;
  min-height: 36px;
  padding: 0 14px;
  border: 1px solid var(--line-strong);
  border-radius: 10px;
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  font-weight: 500;
  text-decoration: none;
  cursor: pointer;
}
.button:hover, .mails a:hover { background: var(--hover); }
.filter { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; margin: 20px 0 16px; }
.filter label { color: var(--ink-2); font-weight: 500; }
.filter input {
  flex: 1 1 180px;
  max-width: 320px;
  min-height: 36px;
  padding: 0 12px;
  border: 1px solid var(--line-strong);
  border-radius: 10px;
  background: var(--surface);
  color: var(--ink);
  font: inherit;
}
.mails {
  list-style: none;
  margin: 0;
  padding: 0;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
}
.mails li + li { border-top: 1px solid var(--line); }
.mails a {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 0 16px;
  padding: 12px 16px;
  color: inherit;
  text-decoration: none;
}
.mails a:focus-visible { outline-offset: -2px; }
.subject { font-weight: 500; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.to { grid-row: 2; color: var(--ink-3); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mails time { color: var(--ink-3); font-size: 13px; font-variant-numeric: tabular-nums; }
.empty {
  padding: 40px 16px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
  color: var(--ink-2);
  text-align: center;
}
.mail {
  display: block;
  width: 100%;
  height: 560px;
  margin-top: 20px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
}
pre {
  margin: 0;
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
  color: var(--ink-2);
  font: 13px/1.6 ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
`
