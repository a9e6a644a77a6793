import { classes } from '@/lib/classes'

const HUES = [250, 160, 25, 330, 200, 95, 290, 50] as const

/** A member's initials in a colored circle; the color depends on the name. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const letters = name
    .split(/[\s.@_-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => word[0]?.toUpperCase())
    .join('')
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  const hue = HUES[sum % HUES.length]
  return (
    <span
      aria-hidden="true"
      title={name}
      style={{ background: `oklch(0.5 0.11 ${hue})` }}
      className={classes('avatar', className)}
    >
      {letters}
    </span>
  )
}
