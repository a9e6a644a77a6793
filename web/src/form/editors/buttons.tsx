import type { EditorProps } from '../editor-props'
import type { FieldOf } from '../types'
import { getChosenIds, getOptions, isMultiple, toChoiceValue } from '../value-types/choices'
import { ChosenOptions } from './chosen-options'
import { OptionButtons } from './option-buttons'

export function ButtonsEditor({
  field,
  value,
  suggested,
  config,
  onChange,
  readOnly,
  attributes,
  keyed,
  compact,
}: EditorProps<FieldOf<'buttons'>>) {
  const options = getOptions(field, config) ?? []
  const chosen = getChosenIds(value)
  if (readOnly) return <ChosenOptions options={options} chosen={chosen} />
  const toggle = (id: string) => {
    const others = chosen.filter(each => each !== id)
    const next = chosen.includes(id) ? others : isMultiple(field) ? [...chosen, id] : [id]
    onChange(toChoiceValue(field, options, next, suggested))
  }
  return (
    <OptionButtons
      options={options}
      chosen={new Set(chosen)}
      onToggle={toggle}
      multiple={isMultiple(field)}
      clearable={!field.required}
      required={field.required}
      attributes={attributes}
      compact={compact}
      keyed={keyed}
    />
  )
}
