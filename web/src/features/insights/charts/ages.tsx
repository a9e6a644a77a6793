import { plural, t } from '@lingui/core/macro'
import type { Insights } from '@/api/insights'
import { formatNumber, intl } from '@/lib/i18n'
import { formatCount } from '../format'
import { getAgesSentence } from '../sentences'
import { Bar } from './bar'
import { Card } from './card'

export function Ages({ open, className }: { open: Insights['open']; className?: string }) {
  const ages = open.ages.map((age, place) => ({
    name: formatAge(open.ages[place - 1]?.upToSeconds ?? null, age.upToSeconds),
    count: age.count,
  }))
  const most = Math.max(...open.ages.map(age => age.count))
  return (
    <Card
      title={t`Pending reviews by age`}
      sentence={getAgesSentence(open)}
      empty={open.total === 0 && t`No pending reviews. New requests show up here.`}
      className={className}
      table={{
        columns: [{ label: t`Age` }, { label: t`Pending reviews` }],
        rows: ages.map(age => [age.name, age.count]),
      }}
    >
      {() => (
        <ul className="flex flex-1 flex-col justify-evenly gap-2">
          {ages.map(age => (
            <li key={age.name} className="grid grid-cols-[6.5rem_1fr_2.5rem] items-center gap-x-3">
              <span className="text-muted text-sm">{age.name}</span>
              <Bar
                label={t`${{ age: age.name }}: ${plural(age.count, { one: '# pending review', other: '# pending reviews' })}`}
                parts={[{ share: age.count / most, color: 'var(--approved)' }]}
              />
              <span className={age.count === 0 ? 'text-end text-muted' : 'text-end'}>
                {formatCount(age.count)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const HOUR = 3_600
const DAY = 86_400

/** `Under 1 hour`, `1–4 hours`, `Over 7 days`. */
function formatAge(from: number | null, to: number | null): string {
  if (to === null) return from === null ? t`All` : t`Over ${{ duration: formatLongDuration(from) }}`
  if (from === null) return t`Under ${{ duration: formatLongDuration(to) }}`
  const [unit, size] = getUnit(from)
  return intl(Intl.NumberFormat, { style: 'unit', unit, unitDisplay: 'long' }).formatRange(
    from / size,
    to / size,
  )
}

const getUnit = (seconds: number) => (seconds < DAY ? (['hour', HOUR] as const) : (['day', DAY] as const))

function formatLongDuration(seconds: number): string {
  const [unit, size] = getUnit(seconds)
  return formatNumber(seconds / size, { style: 'unit', unit, unitDisplay: 'long' })
}
