import { classes } from '@/lib/classes'

/** A horizontal bar, as wide as it has room; its parts are shares of the whole. */
export function Bar({
  parts,
  label,
  className,
}: {
  parts: readonly { share: number; color: string }[]
  /** A description with the exact values. */
  label: string
  className?: string
}) {
  let from = 0
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height="12"
      className={classes('block overflow-hidden rounded-[3px] bg-(--grid)', className)}
    >
      {parts.map(({ share, color }) => {
        if (share <= 0) return null
        const x = from
        from += share
        return (
          <rect
            key={color}
            x={`${x * 100}%`}
            // A hairline separates the parts, so that they are distinct without color too.
            style={{ width: `max(2px, calc(${share * 100}% - ${from < 0.999 ? 1 : 0}px))` }}
            height="12"
            fill={color}
          />
        )
      })}
    </svg>
  )
}
