import { classes } from '@/lib/classes'

/** Formats JSON; other text stays as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Text exactly as it is, in a scrollable box that can be focused. */
export function CodeBox({ label, text, className }: { label: string; text: string; className?: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable
      tabIndex={0}
      aria-label={label}
      className={classes('max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3', className)}
    >
      <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">{text}</pre>
    </section>
  )
}
