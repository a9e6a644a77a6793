import { t } from '@lingui/core/macro'
import { Spinner } from '@/components/status'
import { classes } from '@/lib/classes'

const CARDS = [
  ['figures', 'h-36 @4xl:col-span-6'],
  ['activity', 'h-86 @4xl:col-span-6'],
  ['times', 'h-80 @4xl:col-span-4'],
  ['ages', 'h-80 @4xl:col-span-2'],
] as const

/** The page's outline while it loads. */
export function Skeleton() {
  return (
    <div className="grid grid-cols-1 gap-4 @4xl:grid-cols-6">
      {CARDS.map(([name, size]) => (
        <div
          key={name}
          className={classes(
            'flex items-center justify-center rounded-lg border border-line bg-surface',
            size,
          )}
        >
          {name === 'activity' && <Spinner label={t`Loading insights…`} />}
        </div>
      ))}
    </div>
  )
}
