import { t } from '@lingui/core/macro'
import { CornerUpLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Revision } from '@/api/review'
import { Button } from '@/components/button'
import { NativeSelect } from '@/components/input'
import type { FormDefinition, Json, Suggestion } from '@/form'
import { formatNumber } from '@/lib/i18n'
import { ChangeList } from '../change-list'
import { getField } from '../value-text'
import { findDifferences, getValues } from './revision-values'

/** Compares any two revisions field by field. */
export function RevisionCompare({
  form,
  configs,
  revisions,
  canTake,
  onTake,
}: {
  form: FormDefinition
  configs: Suggestion['configs']
  /** At least two, oldest first. */
  revisions: readonly Revision[]
  /** Whether the field can be edited now. */
  canTake: (fieldId: string) => boolean
  onTake: (fieldId: string, value: Json) => void
}) {
  const newest = revisions.at(-1)?.revision ?? 1
  const [chosen, setChosen] = useState<[number, number] | null>(null)
  const [from, to] = chosen ?? [newest - 1, newest]
  const [taken, setTaken] = useState<readonly string[]>([])
  const values = useMemo(
    () => new Map(revisions.map(({ revision, data }) => [revision, getValues(form, data, configs)])),
    [form, configs, revisions],
  )
  const before = values.get(from) ?? {}
  const after = values.get(to) ?? {}
  const changes = findDifferences(form, before, after).map(fieldId => ({
    fieldId,
    before: before[fieldId] ?? null,
    after: after[fieldId] ?? null,
  }))
  const takeable = changes.filter(({ fieldId }) => canTake(fieldId))
  const options = revisions.map(({ revision }) => (
    <option key={revision} value={revision}>
      {t`Revision ${{ revision: formatNumber(revision) }}`}
    </option>
  ))
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-2">
        <NativeSelect
          aria-label={t`Compare from revision`}
          value={from}
          onChange={event => setChosen([Number(event.target.value), to])}
        >
          {options}
        </NativeSelect>
        <span className="text-muted" aria-hidden="true">
          →
        </span>
        <NativeSelect
          aria-label={t`Compare to revision`}
          value={to}
          onChange={event => setChosen([from, Number(event.target.value)])}
        >
          {options}
        </NativeSelect>
      </div>
      {changes.length === 0 ? (
        <p className="text-muted text-sm">{t`No visible differences.`}</p>
      ) : (
        <>
          {takeable.length > 1 && (
            <Button
              size="small"
              icon={<CornerUpLeft />}
              onClick={() => {
                for (const { fieldId, before: old } of takeable) onTake(fieldId, old)
                setTaken(takeable.map(each => each.fieldId))
              }}
              className="self-start"
            >
              {t`Restore all fields from revision ${{ revision: formatNumber(from) }}`}
            </Button>
          )}
          <ChangeList
            form={form}
            changes={changes}
            configs={configs}
            action={fieldId =>
              canTake(fieldId) && (
                <Button
                  size="small"
                  kind="quiet"
                  icon={<CornerUpLeft />}
                  aria-label={restoreLabel(getField(form, fieldId)?.label ?? '', taken.includes(fieldId))}
                  onClick={() => {
                    onTake(fieldId, before[fieldId] ?? null)
                    setTaken([...taken, fieldId])
                  }}
                >
                  {taken.includes(fieldId) ? t`Restored` : t`Restore`}
                </Button>
              )
            }
          />
        </>
      )}
    </div>
  )
}

const restoreLabel = (field: string, isRestored: boolean): string =>
  isRestored ? t`Restored ${field}` : t`Restore ${field}`
