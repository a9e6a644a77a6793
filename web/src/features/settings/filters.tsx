import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from '@/components/button'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { i18n } from '@/lib/i18n'
import type { SettingsSearch } from './search-params'
import { RANGE_MS } from './time-range'

/** A row of filters, each as wide as it needs; stacked on a phone. */
export function FilterBar({
  children,
  onClear,
}: {
  children: ReactNode
  /** Undefined: no filter is set. */
  onClear?: () => void
}) {
  return (
    <search className="flex flex-wrap items-end gap-x-3 gap-y-2 max-md:grid max-md:grid-cols-2">
      {children}
      {onClear && (
        <Button kind="quiet" onClick={onClear}>
          {t`Clear filters`}
        </Button>
      )}
    </search>
  )
}

export function FilterSelect({
  label,
  any,
  value,
  onChange,
  children,
}: {
  label: string
  any: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  children: ReactNode
}) {
  return (
    <LabeledField label={label} className="min-w-32 max-w-56 max-md:min-w-0 max-md:max-w-none">
      {attributes => (
        <NativeSelect
          {...attributes}
          value={value ?? ''}
          onChange={event => onChange(event.target.value || undefined)}
          className={value ? 'border-accent' : undefined}
        >
          <option value="">{any}</option>
          {children}
        </NativeSelect>
      )}
    </LabeledField>
  )
}

const CUSTOM = 'custom'

/** A relative time range, or one between two times. */
export function TimeFilter({
  search,
  onChange,
}: {
  search: SettingsSearch
  onChange: (part: SettingsSearch) => void
}) {
  const custom = search.since !== undefined || search.until !== undefined
  const choose = (value: string | undefined) => {
    if (value !== CUSTOM) return onChange({ within: value, since: undefined, until: undefined })
    const yesterday = new Date(Date.now() - 86_400_000)
    onChange({ within: undefined, since: `${localDay(yesterday)}T00:00`, until: undefined })
  }
  return (
    <>
      <FilterSelect
        label={t`Time`}
        any={t`Any time`}
        value={custom ? CUSTOM : search.within}
        onChange={choose}
      >
        {Object.entries(RANGE_MS).map(([id, { label }]) => (
          <option key={id} value={id}>
            {i18n._(label)}
          </option>
        ))}
        <option value={CUSTOM}>{t`Custom range…`}</option>
      </FilterSelect>
      {custom && (
        <>
          <Moment
            label={t({ message: 'From', context: 'start of a time range' })}
            value={search.since}
            onChange={since => onChange({ since })}
          />
          <Moment
            label={t({ message: 'To', context: 'end of a time range' })}
            value={search.until}
            onChange={until => onChange({ until })}
          />
        </>
      )}
    </>
  )
}

const localDay = (at: Date) =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

function Moment({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  return (
    <LabeledField label={label} className="min-w-0">
      {attributes => (
        <Input
          {...attributes}
          type="datetime-local"
          value={value ?? ''}
          onChange={event => onChange(event.target.value || undefined)}
        />
      )}
    </LabeledField>
  )
}
