import { t } from '@lingui/core/macro'
import { Input, LabeledField, TextArea } from '@/components/input'
import { Switch } from '@/components/switch'
import { NumberInput } from '@/form'
import type { Json } from '@/form/types'
import { formatNumber, i18n } from '@/lib/i18n'
import type { Setting } from '../document/field-types'
import { OptionsEditor } from './options-editor'

/** The error at a path; `deep`: also errors inside it. */
export type GetError = (path: string, deep?: boolean) => string | null

export type SettingInputProps = {
  setting: Setting
  value: Json | undefined
  getError: GetError
  /** Undefined removes the setting. */
  onChange: (value: Json | undefined) => void
}

const DATETIME = '2026-03-14T09:00:00Z'

/** The control for a setting, except for child fields, which have settings of their own. */
export function SettingInput({ setting, value, getError, onChange }: SettingInputProps) {
  const error = getError(setting.name)
  const label = i18n._(setting.label)
  const help = setting.help && i18n._(setting.help)
  switch (setting.kind) {
    case 'boolean':
      return (
        <Switch
          checked={value === undefined || value === null ? setting.otherwise === true : value === true}
          onChange={onChange}
          label={label}
        />
      )
    case 'options':
      return <OptionsEditor options={value} error={error} help={help} onChange={onChange} />
    case 'longText':
      return (
        <LabeledField label={label} help={help} error={error}>
          {attributes => (
            <TextArea
              {...attributes}
              maxLength={setting.max}
              value={typeof value === 'string' ? value : ''}
              onChange={event => onChange(event.target.value || undefined)}
            />
          )}
        </LabeledField>
      )
    case 'whole':
    case 'number':
      return (
        <LabeledField label={label} help={help} error={error}>
          {attributes => (
            <NumberInput
              {...attributes}
              whole={setting.kind === 'whole'}
              min={setting.min}
              max={setting.max}
              placeholder={
                typeof setting.otherwise === 'number' ? formatNumber(setting.otherwise) : t`No limit`
              }
              value={typeof value === 'number' ? value : undefined}
              onChange={onChange}
            />
          )}
        </LabeledField>
      )
    default:
      return (
        <LabeledField
          label={label}
          help={setting.kind === 'datetime' ? t`Include a time zone, as in ${DATETIME}.` : help}
          error={error}
        >
          {attributes => (
            <Input
              {...attributes}
              type={setting.kind === 'date' ? 'date' : 'text'}
              maxLength={setting.max}
              spellCheck={setting.kind === 'text' ? undefined : false}
              autoComplete="off"
              className={setting.kind === 'pattern' ? 'font-mono text-sm' : undefined}
              value={typeof value === 'string' ? value : ''}
              onChange={event => onChange(event.target.value || undefined)}
            />
          )}
        </LabeledField>
      )
  }
}
