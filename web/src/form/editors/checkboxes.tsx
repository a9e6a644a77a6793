import { plural, t } from '@lingui/core/macro'
import { useState } from 'react'
import { Input } from '@/components/input'
import { formatNumber } from '@/lib/i18n'
import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { getChosenIds, getOptions, toChoiceValue } from '../value-types/choices'
import { ChosenOptions } from './chosen-options'
import { filterOptions } from './filter-options'

/** From this many options on, there is a search box. */
const SEARCH_THRESHOLD = 15
/** More rows than anyone reads; searching finds the others. */
const MAX_SHOWN = 200

export function CheckboxesEditor({
  field,
  value,
  suggested,
  config,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'checkboxes'>>) {
  const [search, setSearch] = useState('')
  const options = getOptions(field, config) ?? []
  const chosen = getChosenIds(value)
  if (readOnly) return <ChosenOptions options={options} chosen={chosen} />
  const isChosen = new Set(chosen)
  const found = filterOptions(options, search)
  const shown = found.slice(0, MAX_SHOWN)
  const toggle = (id: string) => {
    const next = isChosen.has(id) ? chosen.filter(each => each !== id) : [...chosen, id]
    onChange(toChoiceValue(field, options, next, suggested))
  }
  const { id, ...group } = attributes
  return (
    <div className="flex flex-col gap-1.5">
      {options.length > SEARCH_THRESHOLD && (
        <Input
          type="search"
          aria-label={t`Search options for ${{ label: field.label }}`}
          placeholder={searchHint(options.length, chosen.length)}
          value={search}
          onChange={event => setSearch(event.target.value)}
        />
      )}
      <fieldset
        {...group}
        className={
          options.length > SEARCH_THRESHOLD
            ? 'max-h-72 overflow-y-auto rounded-md border border-line px-3 py-1'
            : undefined
        }
      >
        {shown.map((option, index) => (
          <label
            key={option.id}
            className="-mx-1.5 flex cursor-pointer items-start gap-2.5 rounded-md px-1.5 py-1 hover:bg-sunken pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <input
              type="checkbox"
              id={index === 0 ? id : undefined}
              className="mt-0.5 size-4 shrink-0 accent-(--accent-solid) pointer-coarse:mt-0"
              checked={isChosen.has(option.id)}
              onChange={() => toggle(option.id)}
            />
            <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {option.label || option.id}
            </span>
          </label>
        ))}
        {found.length === 0 && <p className="px-1.5 py-1 text-muted">{t`No matching options`}</p>}
        {found.length > shown.length && (
          <p className="px-1.5 py-1 text-muted">{moreOptions(found.length - shown.length)}</p>
        )}
      </fieldset>
    </div>
  )
}

function searchHint(count: number, chosen: number): string {
  const selected = formatNumber(chosen)
  return t`${plural(count, {
    one: `Search # option (${selected} selected)`,
    other: `Search # options (${selected} selected)`,
  })}`
}

const moreOptions = (count: number): string =>
  t`${plural(count, {
    one: '# more option. Search to find it.',
    other: '# more options. Search to find them.',
  })}`
