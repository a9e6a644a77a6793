import { classes } from '@/lib/classes'

/** JSON as people read it; a text that is none stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Text to the letter, in a box that scrolls by itself and can be reached by keyboard. */
export function CodeBox({ label, text, className }: { label: string; text: string; className?: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className={classes('max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3', className)}
    >
      <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">{text}</pre>
    </section>
  )
}
