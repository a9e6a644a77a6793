import { plural, t } from '@lingui/core/macro'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import { countCharacters } from '../characters'

/** How much of a limit is used, shown when it gets close. */
export function CharacterCount({ text, least, most }: { text: string; least?: number; most?: number }) {
  const count = countCharacters(text)
  const isShort = least !== undefined && count > 0 && count < least
  const isNear = most !== undefined && count >= most * 0.8
  if (!isShort && !isNear) return null
  const isWrong = isShort || (most !== undefined && count > most)
  return (
    <p className={classes('mt-1 text-end text-xs', isWrong ? 'text-bad' : 'text-muted')}>
      {isShort ? formatMinimum(count, least) : formatMaximum(count, most ?? 0)}
    </p>
  )
}

const formatMinimum = (count: number, min: number): string =>
  t`${{ count: formatNumber(count) }} of at least ${plural(min, { one: '# character', other: '# characters' })}`

const formatMaximum = (count: number, max: number): string =>
  t`${{ count: formatNumber(count) }} of ${plural(max, { one: '# character', other: '# characters' })}`
