import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Insights } from '@/api/insights'
import { Button } from '@/components/button'
import { formatCount, formatPercentOf, formatShare, toPercentText } from '../format'
import { getFieldsSentence, rankFields } from '../sentences'
import { Bar } from './bar'
import { Card } from './card'
import { SERIES } from './series'

const MAX_SHOWN = 8

export function FieldEditRates({ insights, className }: { insights: Insights; className?: string }) {
  const [all, setAll] = useState(false)
  const ranked = rankFields(insights.fields)
  const names = new Map(insights.forms.map(form => [form.formId, form.name]))
  const shown = all ? ranked : ranked.slice(0, MAX_SHOWN)
  return (
    <Card
      title={t`Most edited fields`}
      sentence={getFieldsSentence(ranked)}
      empty={ranked.length === 0 && t`Fields that reviewers edit before approving show up here.`}
      className={className}
      table={{
        columns: [
          { label: t`Field` },
          { label: t`Review type` },
          { label: t`Approvals` },
          { label: t({ message: 'Edited', context: 'reviews' }) },
          { label: t`Edit rate`, show: toPercentText },
        ],
        rows: ranked.map(field => [
          field.label,
          names.get(field.formId) ?? '',
          field.shown,
          field.edited,
          formatShare(field.edited, field.shown),
        ]),
      }}
    >
      {() => (
        <>
          <ul className="flex flex-col gap-2.5">
            {shown.map(field => {
              const edited = formatCount(field.edited)
              const text = t`${{ field: field.label }}: edited in ${edited} of ${plural(field.shown, { one: '# approval', other: '# approvals' })}`
              return (
                <li key={`${field.formId} ${field.fieldId}`}>
                  <div className="flex items-baseline gap-2">
                    <span dir="auto" className="min-w-0 truncate font-medium">
                      {field.label}
                    </span>
                    <span className="min-w-0 flex-1 truncate text-muted text-sm">
                      {names.get(field.formId)}
                    </span>
                    <span className="shrink-0 text-muted text-sm">
                      {t`${edited} of ${{ total: formatCount(field.shown) }}`}
                    </span>
                    <span className="w-11 shrink-0 text-end">
                      {formatPercentOf(field.edited, field.shown)}
                    </span>
                  </div>
                  <Bar
                    label={text}
                    parts={[{ share: field.edited / field.shown, color: SERIES.edited.color }]}
                    className="mt-0.5 h-1.5"
                  />
                </li>
              )
            })}
          </ul>
          {ranked.length > MAX_SHOWN && (
            <Button size="small" kind="quiet" className="mt-2 self-start" onClick={() => setAll(!all)}>
              {all ? t`Show less` : t`Show all ${{ count: formatCount(ranked.length) }}`}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}
