import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '@/components/button'
import { Combobox } from '@/components/combobox'
import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { getChosenIds, getOptions, isMultiple, toChoiceValue } from '../value-types/choices'
import { ChosenOptions } from './chosen-options'
import { filterOptions } from './filter-options'

/** A searchable menu of options; with multiple choices, the selected ones are above it. */
export function DropdownEditor(props: EditorProps<FieldOf<'dropdown'>>) {
  const { field, value, suggested, config, onChange, readOnly, attributes, compact } = props
  const trigger = useRef<HTMLButtonElement>(null)
  const options = getOptions(field, config) ?? []
  const chosen = getChosenIds(value)
  if (readOnly) return <ChosenOptions options={options} chosen={chosen} />
  const several = isMultiple(field)
  const labels = new Map(options.map(option => [option.id, option.label || option.id]))
  const choose = (ids: readonly string[]) => onChange(toChoiceValue(field, options, ids, suggested))
  const toggle = (id: string) => {
    if (!several) choose([id])
    else choose(chosen.includes(id) ? chosen.filter(each => each !== id) : [...chosen, id])
  }
  const only = several ? undefined : chosen[0]
  const nothing = several && chosen.length > 0 ? t`Add another…` : t`Choose…`
  return (
    <div className="flex flex-col gap-1.5">
      {several && chosen.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {chosen.map(id => (
            <li
              key={id}
              className="inline-flex max-w-full items-center rounded bg-accent-soft ps-2 font-medium text-accent text-sm"
            >
              <span dir="auto" className="[overflow-wrap:anywhere]">
                {labels.get(id) ?? id}
              </span>
              <button
                type="button"
                className="flex size-6 shrink-0 items-center justify-center rounded hover:bg-accent/15 pointer-coarse:min-h-11 pointer-coarse:min-w-11"
                aria-label={t`Remove ${{ option: labels.get(id) ?? id }}`}
                onClick={() => {
                  choose(chosen.filter(each => each !== id))
                  trigger.current?.focus()
                }}
              >
                <X className="icon-small" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-center gap-1">
        <Combobox
          ref={trigger}
          attributes={attributes}
          label={field.label}
          text={only === undefined ? undefined : (labels.get(only) ?? only)}
          placeholder={nothing}
          getGroups={search => [{ items: filterOptions(options, search) }]}
          getId={option => option.id}
          renderItem={option => (
            <span dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
              {option.label || option.id}
            </span>
          )}
          onChoose={option => toggle(option.id)}
          chosen={chosen}
          multiple={several}
          empty={t`No matching options`}
          className={compact ? 'min-w-32' : 'max-w-md'}
        />
        {only !== undefined && !field.required && (
          <IconButton
            label={t`Clear selection`}
            size="small"
            icon={<X />}
            onClick={() => {
              choose([])
              trigger.current?.focus()
            }}
          />
        )}
      </div>
    </div>
  )
}
