import { Download, Printer } from 'lucide-react'
import { saveFile } from '#web/kit/save-file.ts'
import { formatDate, serverNow } from '#web/kit/time.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'

/** New recovery codes, which are shown only once, with buttons to copy, download and print them. */
export function RecoveryCodes({ codes, account }: { codes: readonly string[]; account: string }) {
  const text = [...headerOf(account), '', ...codes, ''].join('\n')
  return (
    <div>
      <ul
        aria-label="Recovery codes"
        className={
          'grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-10 border border-line bg-sunken px-4 py-3.5 ' +
          'font-mono text-14 text-ink min-[22rem]:grid-cols-2'
        }
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton size="sm" text={text} label="Copy" />
        <Button size="sm" icon={<Download />} onClick={() => download(text)}>
          Download
        </Button>
        <Button size="sm" icon={<Printer />} onClick={() => print(codes, account)}>
          Print
        </Button>
      </div>
    </div>
  )
}

/** The account, the date and the purpose of the codes: a printout can be older than the current codes. */
function headerOf(account: string): [title: string, ...lines: string[]] {
  return [
    `Evenhand recovery codes for ${account}`,
    `Created on ${formatDate(serverNow())}. Earlier codes no longer work.`,
    'You can use each code once to sign in without your authenticator app.',
  ]
}

function download(text: string) {
  saveFile(new Blob([text], { type: 'text/plain' }), 'evenhand-recovery-codes.txt')
}

/** Prints the codes from a separate window, so that the page around them is not printed. */
function print(codes: readonly string[], account: string) {
  const sheet = window.open('', '_blank', 'popup,width=560,height=640')
  if (!sheet) return window.print()
  const { document } = sheet
  document.title = 'Evenhand recovery codes'
  document.documentElement.lang = 'en'
  document.body.style.cssText = 'margin: 2rem; font: 14px/1.6 system-ui, sans-serif; overflow-wrap: anywhere'

  function write(kind: 'h1' | 'p', text: string, looks = '') {
    const line = document.createElement(kind)
    line.textContent = text
    line.style.cssText = looks
    document.body.append(line)
  }

  const [title, ...lines] = headerOf(account)
  write('h1', title, 'margin: 0 0 0.75rem; font-size: 20px; line-height: 1.3')
  for (const each of lines) write('p', each, 'margin: 0')
  // A box before each code, to tick off used ones.
  const list = codes.map((code) => `☐  ${code}`).join('\n')
  write('p', list, 'margin: 1.5rem 0 0; font: 16px/2 monospace; white-space: pre-wrap; columns: 2 10rem')
  sheet.onafterprint = () => sheet.close()
  sheet.print()
}
