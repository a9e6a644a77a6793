import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button'

/** Puts a text on the clipboard, and says so for a moment. */
export function Copy({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Button size="small" icon={copied ? <Check size={14} /> : <CopyIcon size={14} />} onClick={copy}>
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}
