import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, ChevronRight, CircleAlert, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '@/components/button'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import type { FieldTypeName } from '@/form/types'
import { classes } from '@/lib/classes'
import {
  CHILD_TYPES,
  FIELD_TYPES,
  findSetting,
  getGenericSettings,
  getTypeName,
} from '../document/field-types'
import { createIdFromLabel, followsLabel, makeUnique } from '../document/identifiers'
import { changed, newField } from '../document/operations'
import type { EditorField } from '../document/types'
import { DefaultInput } from './default-input'
import { IdentifierInput } from './identifier-input'
import { type GetError, SettingInput } from './setting-input'

/** The fields of a list's items, or the columns of a table. */
export function ChildFields({
  label,
  add,
  fields,
  getError,
  onChange,
}: {
  label: string
  /** The label of the add button. */
  add: string
  fields: readonly EditorField[]
  /** By relative path: `[0].label` is the label of the first one. */
  getError: GetError
  onChange: (fields: EditorField[]) => void
}) {
  const [opened, setOpened] = useState<number | null>(null)
  const error = getError('', false)
  const put = (index: number, field: EditorField) =>
    onChange(fields.map((each, at) => (at === index ? field : each)))
  const swap = (index: number, step: 1 | -1) => {
    const next = [...fields]
    const [one, other] = [next[index], next[index + step]]
    if (one === undefined || other === undefined) return
    next[index] = other
    next[index + step] = one
    onChange(next)
    setOpened(null)
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are edited in place, and so are their IDs
        <div key={index} className="rounded-md border border-line">
          <div className="flex items-center pe-1">
            <button
              type="button"
              aria-expanded={opened === index}
              onClick={() => setOpened(opened === index ? null : index)}
              className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-start text-sm pointer-coarse:min-h-11"
            >
              <ChevronRight
                className={classes(
                  'icon-small -me-1 shrink-0 text-muted',
                  opened === index && 'rotate-90 rtl:-rotate-90',
                )}
              />
              <span dir="auto" className="truncate font-medium">
                {field.label || field.id}
              </span>
              <span className="truncate text-muted">{getTypeName(field.type)}</span>
              {getError(`[${index}]`) && (
                <CircleAlert
                  role="img"
                  aria-label={t`Has an error`}
                  className="icon-small shrink-0 text-bad"
                />
              )}
            </button>
            <IconButton
              size="small"
              label={t`Move ${{ name: field.label || field.id }} up`}
              disabled={index === 0}
              icon={<ArrowUp />}
              onClick={() => swap(index, -1)}
              className="w-6"
            />
            <IconButton
              size="small"
              label={t`Move ${{ name: field.label || field.id }} down`}
              disabled={index === fields.length - 1}
              icon={<ArrowDown />}
              onClick={() => swap(index, 1)}
              className="w-6"
            />
            <IconButton
              size="small"
              label={t`Remove ${{ name: field.label || field.id }}`}
              icon={<X />}
              onClick={() => {
                onChange(fields.filter((_, at) => at !== index))
                setOpened(null)
              }}
              className="w-6"
            />
          </div>
          {opened === index && (
            <Child
              field={field}
              getError={(path, deep) => getError(`[${index}].${path}`, deep)}
              taken={new Set(fields.filter((_, at) => at !== index).map(each => each.id))}
              onChange={next => put(index, next)}
            />
          )}
        </div>
      ))}
      <Button
        size="small"
        icon={<Plus />}
        className="w-fit"
        onClick={() => {
          onChange([...fields, newField('text', new Set(fields.map(each => each.id)))])
          setOpened(fields.length)
        }}
      >
        {add}
      </Button>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </fieldset>
  )
}

function Child({
  field,
  getError,
  taken,
  onChange,
}: {
  field: EditorField
  getError: GetError
  taken: ReadonlySet<string>
  onChange: (field: EditorField) => void
}) {
  const relabel = (label: string) => {
    const follows = followsLabel(field.id, field.label ?? '', {
      code: field.type,
      label: getTypeName(field.type),
    })
    onChange({
      ...field,
      label,
      ...(follows && { id: makeUnique(createIdFromLabel(label, field.type), taken) }),
    })
  }
  const retype = (type: FieldTypeName) =>
    onChange(
      changed(
        { ...FIELD_TYPES[type].first(), id: field.id, type },
        { label: field.label, translations: field.translations },
      ),
    )
  return (
    <div className="flex flex-col gap-3 border-line border-t p-3">
      <LabeledField label={t`Label`} error={getError('label')}>
        {attributes => (
          <Input
            {...attributes}
            maxLength={findSetting(field.type, 'label')?.maxLength}
            autoComplete="off"
            value={field.label ?? ''}
            onChange={event => relabel(event.target.value)}
          />
        )}
      </LabeledField>
      <LabeledField label={t`Type`} error={getError('type')}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={field.type}
            onChange={event => retype(event.target.value as FieldTypeName)}
          >
            {CHILD_TYPES.map(type => (
              <option key={type} value={type}>
                {getTypeName(type)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <IdentifierInput
        value={field.id}
        taken={taken}
        error={getError('id')}
        onChange={id => onChange({ ...field, id })}
      />
      {getGenericSettings(field).map(setting => (
        <SettingInput
          key={`${field.type} ${setting.name}`}
          setting={setting.type === 'boolean' ? { ...setting, help: undefined } : setting}
          value={field[setting.name]}
          getError={getError}
          onChange={value => onChange(changed(field, { [setting.name]: value }))}
        />
      ))}
      <DefaultInput
        key={`${field.type} default`}
        field={field}
        help={t`Prefilled when a reviewer adds an item.`}
        error={getError('default')}
        onChange={value => onChange(changed(field, { default: value }))}
      />
    </div>
  )
}
