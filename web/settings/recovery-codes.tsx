import { Download, Printer } from 'lucide-react'
import { saveFile } from '#web/kit/save-file.ts'
import { Button } from '#web/kit/ui/button.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'

/** Codes that are shown this once, with every way to keep them. */
export function RecoveryCodes({ codes, account }: { codes: readonly string[]; account: string }) {
  const text = textOf(codes, account)
  return (
    <div>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-10 border border-line bg-sunken px-4 py-3.5 font-mono text-14 text-ink min-[22rem]:grid-cols-2"
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
        <Button size="sm" icon={<Printer />} onClick={() => print(text)}>
          Print
        </Button>
      </div>
    </div>
  )
}

function textOf(codes: readonly string[], account: string): string {
  return [
    `Evenhand recovery codes for ${account}`,
    'Each of them opens the account once, when the authenticator app is out of reach.',
    '',
    ...codes,
    '',
  ].join('\n')
}

function download(text: string) {
  saveFile(new Blob([text], { type: 'text/plain' }), 'evenhand-recovery-codes.txt')
}

/** A sheet of its own, so that nothing of the page is printed with it. It is made of plain text. */
function print(text: string) {
  const sheet = window.open('', '_blank', 'popup,width=560,height=640')
  if (!sheet) return window.print()
  sheet.document.title = 'Evenhand recovery codes'
  const codes = sheet.document.createElement('pre')
  codes.textContent = text
  codes.style.font = '16px/1.6 monospace'
  sheet.document.body.append(codes)
  sheet.onafterprint = () => sheet.close()
  sheet.print()
}
