import { useState } from 'react'
import type { Insights } from '@/api/insights'
import { Button } from '@/components/button'
import { fieldsSentence, rankFields } from '../sentences'
import { count, counted, percent, percentOf, share } from '../words'
import { Bar } from './bar'
import { Card } from './card'
import { SERIES } from './series'

const FIRST = 8

export function FieldEditRates({ insights, className }: { insights: Insights; className?: string }) {
  const [all, setAll] = useState(false)
  const ranked = rankFields(insights.fields)
  const names = new Map(insights.forms.map(form => [form.formId, form.name]))
  const shown = all ? ranked : ranked.slice(0, FIRST)
  return (
    <Card
      title="Fields that people edit"
      sentence={fieldsSentence(ranked)}
      empty={ranked.length === 0 && 'Once reviews are approved, this shows which suggestions needed edits.'}
      className={className}
      table={{
        columns: [
          { label: 'Field' },
          { label: 'Review type' },
          { label: 'Approvals' },
          { label: 'Edited' },
          { label: 'Edit rate', show: percent },
        ],
        rows: ranked.map(field => [
          field.label,
          names.get(field.formId) ?? '',
          field.shown,
          field.edited,
          share(field.edited, field.shown),
        ]),
      }}
    >
      {() => (
        <>
          <ul className="flex flex-col gap-2.5">
            {shown.map(field => {
              const text = `${field.label}: edited in ${count(field.edited)} of ${counted(field.shown, 'approval')}`
              return (
                <li key={`${field.formId} ${field.fieldId}`}>
                  <div className="flex items-baseline gap-2">
                    <span className="min-w-0 truncate font-medium">{field.label}</span>
                    <span className="min-w-0 flex-1 truncate text-muted text-sm">
                      {names.get(field.formId)}
                    </span>
                    <span className="shrink-0 text-muted text-sm">
                      {count(field.edited)} of {count(field.shown)}
                    </span>
                    <span className="w-11 shrink-0 text-right">{percentOf(field.edited, field.shown)}</span>
                  </div>
                  <Bar
                    label={text}
                    parts={[{ share: field.edited / field.shown, colour: SERIES.edited.colour }]}
                    className="mt-0.5 h-1.5!"
                  />
                </li>
              )
            })}
          </ul>
          {ranked.length > FIRST && (
            <Button
              size="small"
              kind="quiet"
              className="mt-2 self-start max-md:h-11"
              onClick={() => setAll(!all)}
            >
              {all ? 'Show fewer' : `Show all ${count(ranked.length)}`}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}
