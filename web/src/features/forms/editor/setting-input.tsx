import { t } from '@lingui/core/macro'
import type { ChangeEvent } from 'react'
import { Input, LabeledField, TextArea } from '@/components/input'
import { Switch } from '@/components/switch'
import { NumberInput } from '@/form'
import type { Json } from '@/form/types'
import { formatNumber, i18n } from '@/lib/i18n'
import { isMultiline, type Setting } from '../document/field-types'
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
  switch (setting.type) {
    case 'boolean':
      return (
        <Switch checked={(value ?? setting.default) === true} onChange={onChange} label={label} help={help} />
      )
    case 'options':
      return <OptionsEditor options={value} error={error} help={help} onChange={onChange} />
    case 'integer':
    case 'number':
      return (
        <LabeledField label={label} help={help} error={error}>
          {attributes => (
            <NumberInput
              {...attributes}
              whole={setting.type === 'integer'}
              min={setting.minimum}
              max={setting.maximum}
              placeholder={typeof setting.default === 'number' ? formatNumber(setting.default) : t`No limit`}
              value={typeof value === 'number' ? value : undefined}
              onChange={onChange}
            />
          )}
        </LabeledField>
      )
    default: {
      const own = {
        maxLength: setting.maxLength,
        value: typeof value === 'string' ? value : '',
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          onChange(event.target.value || undefined),
      }
      return (
        <LabeledField
          label={label}
          help={setting.type === 'datetime' ? t`Include a time zone, as in ${DATETIME}.` : help}
          error={error}
        >
          {attributes =>
            isMultiline(setting.name) ? (
              <TextArea
                {...attributes}
                {...own}
                {...(setting.name === 'help' && { className: 'min-h-8', rows: 1 })}
              />
            ) : (
              <Input
                {...attributes}
                {...own}
                type={setting.type === 'date' ? 'date' : 'text'}
                spellCheck={setting.type === 'text' ? undefined : false}
                autoComplete="off"
                className={setting.type === 'pattern' ? 'font-mono text-sm' : undefined}
              />
            )
          }
        </LabeledField>
      )
    }
  }
}
