import { plural, t } from '@lingui/core/macro'
import { Star, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '@/components/button'
import { classes } from '@/lib/classes'
import { formatNumber } from '@/lib/i18n'
import type { EditorProps } from '../editor-props'
import { formatValue } from '../format-value'
import type { FieldOf } from '../types'
import { EmptyValue } from './empty-value'

export default function RatingEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
  compact,
}: EditorProps<FieldOf<'rating'>>) {
  const rating = typeof value === 'number' ? value : 0
  const stars = Array.from({ length: field.max }, (_, index) => index + 1)
  if (readOnly) {
    if (value === null) return <EmptyValue />
    return (
      <span
        className="inline-flex items-center gap-0.5"
        role="img"
        aria-label={formatRating(rating, field.max)}
      >
        {stars.map(star => (
          <StarShape key={star} full={star <= rating} />
        ))}
        <span className="ms-2 text-muted text-sm">{formatValue(field, rating)}</span>
      </span>
    )
  }
  const choose = (event: KeyboardEvent) => {
    const digit = Number(event.key)
    if (event.key !== '' && digit >= 1 && digit <= field.max) onChange(digit)
    else if (event.key === 'Backspace' || event.key === 'Delete') onChange(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const { id, ...group } = attributes
  return (
    <div className="flex items-center gap-2">
      <div
        role="radiogroup"
        {...group}
        aria-required={field.required}
        className="-ms-1.5 inline-flex"
        onKeyDown={choose}
      >
        {stars.map(star => (
          <label
            key={star}
            className="relative flex size-8 cursor-pointer items-center justify-center rounded-md hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <input
              type="radio"
              name={id}
              id={star === 1 ? id : undefined}
              className="absolute inset-0 cursor-pointer opacity-0"
              aria-label={t`${plural(star, { one: '# star', other: '# stars' })}`}
              checked={rating === star}
              onChange={() => onChange(star)}
            />
            <StarShape full={star <= rating} />
          </label>
        ))}
      </div>
      {!compact && (
        <span className="text-muted text-sm">{rating === 0 ? t`Not rated` : formatValue(field, rating)}</span>
      )}
      {rating > 0 && !field.required && (
        <IconButton label={t`Clear rating`} size="small" icon={<X />} onClick={() => onChange(null)} />
      )}
    </div>
  )
}

const formatRating = (rating: number, max: number): string =>
  t`${{ rating: formatNumber(rating) }} of ${plural(max, { one: '# star', other: '# stars' })}`

function StarShape({ full }: { full: boolean }) {
  return <Star className={classes('size-5', full ? 'fill-current text-accent' : 'text-line-strong')} />
}
