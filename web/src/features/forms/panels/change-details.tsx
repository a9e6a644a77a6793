import { classes } from '@/lib/classes'
import type { ChangeDetail } from '../document/change-details'

/** What changed inside a part of a review type: each setting with its old and its new value. */
export function ChangeDetails({
  details,
  isNarrow = false,
}: {
  details: readonly ChangeDetail[]
  /** Values are below the names of their settings, as on a phone. */
  isNarrow?: boolean
}) {
  if (details.length === 0) return null
  return (
    <dl className={classes('mt-1 grid gap-x-3 gap-y-0.5 text-sm', !isNarrow && 'sm:grid-cols-[auto_1fr]')}>
      {details.map(({ id, label, from, to }) => (
        <div key={id} className="contents">
          <dt className="text-muted [overflow-wrap:anywhere]">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <del dir="auto" className="text-bad">
              {from ?? '–'}
            </del>{' '}
            <ins dir="auto" className="text-good no-underline">
              {to ?? '–'}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
