import type { Insights } from '@/api/insights'
import { agesSentence } from '../sentences'
import { count, counted } from '../words'
import { Bar } from './bar'
import { Card } from './card'

export function Ages({ open, className }: { open: Insights['open']; className?: string }) {
  const most = Math.max(...open.ages.map(age => age.count))
  return (
    <Card
      title="Open reviews by age"
      sentence={agesSentence(open)}
      empty={open.total === 0 && 'All done. What is requested next shows up here.'}
      className={className}
      table={{
        columns: [{ label: 'Age' }, { label: 'Open reviews' }],
        rows: open.ages.map(age => [age.label, age.count]),
      }}
    >
      {() => (
        <ul className="flex flex-1 flex-col justify-evenly gap-2">
          {open.ages.map(age => (
            <li key={age.label} className="grid grid-cols-[6.5rem_1fr_2.5rem] items-center gap-x-3">
              <span className="text-muted text-sm first-letter:uppercase">{age.label}</span>
              <Bar
                label={`${age.label}: ${counted(age.count, 'open review')}`}
                parts={[{ share: age.count / most, colour: 'var(--approved)' }]}
              />
              <span className={age.count === 0 ? 'text-right text-muted' : 'text-right'}>
                {count(age.count)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
