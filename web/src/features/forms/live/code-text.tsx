import { classes } from '@/lib/classes'

/** Code to read and copy, in a scrolling box. */
export function CodeText({
  label,
  text,
  className = 'max-h-[60dvh]',
}: {
  label: string
  text: string
  className?: string
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable
      tabIndex={0}
      aria-label={label}
      className={classes(
        'min-w-0 overflow-auto rounded-md border border-line bg-sunken px-3 py-2',
        className,
      )}
    >
      <pre
        dir="ltr"
        className="whitespace-pre-wrap font-mono text-xs leading-relaxed [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
    </section>
  )
}
