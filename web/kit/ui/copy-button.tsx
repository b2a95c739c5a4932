import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from './button.tsx'
import type { ButtonProps } from './button.tsx'
import { toast } from './toast.tsx'

type CopyButtonProps = Omit<ButtonProps, 'onClick' | 'icon' | 'children'> & {
  text: string
  /** Names what is copied, for example 'Copy coupon link'. */
  label: string
  onCopied?: () => void
}

/** Copies a text and confirms it for two seconds. Shows a toast when the browser refuses. */
export function CopyButton({ text, label, onCopied, ...props }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      toast({
        title: 'Not copied',
        description: "Your browser doesn't allow it. Select the text and copy it instead.",
        tone: 'warning',
      })
      return
    }
    onCopied?.()
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), 2_000)
  }

  return (
    <>
      <Button {...props} icon={copied ? <Check /> : <Copy />} onClick={() => void copy()}>
        {copied ? 'Copied' : label}
      </Button>
      <output className="sr-only">{copied ? 'Copied' : ''}</output>
    </>
  )
}
