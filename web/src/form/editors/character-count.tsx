import { classes } from '@/lib/classes'
import { countCharacters } from '../characters'

const numbers = new Intl.NumberFormat()

/** How much of a limit is used, once that begins to matter. */
export function CharacterCount({ text, least, most }: { text: string; least?: number; most?: number }) {
  const count = countCharacters(text)
  const isShort = least !== undefined && count > 0 && count < least
  const isNear = most !== undefined && count >= most * 0.8
  if (!isShort && !isNear) return null
  const isWrong = isShort || (most !== undefined && count > most)
  return (
    <p className={classes('mt-1 text-right text-xs', isWrong ? 'text-bad' : 'text-muted')}>
      {numbers.format(count)}
      {isShort ? ` of at least ${numbers.format(least)}` : ` of ${numbers.format(most ?? 0)}`}
      <span className="sr-only"> characters</span>
    </p>
  )
}
