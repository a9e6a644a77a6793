import { t } from '@lingui/core/macro'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import type { FieldTypeName, Json } from '@/form/types'
import { i18n } from '@/lib/i18n'
import {
  FIELD_TYPES,
  findSetting,
  getGenericSettings,
  getTypeName,
  TYPE_NAMES,
} from '../document/field-types'
import { getTakenIds } from '../document/identifiers'
import { changeField, changeFieldType, changeLabel } from '../document/operations'
import { renameField } from '../document/rename'
import type { EditorField, NodeOf } from '../document/types'
import { ChildFields } from './child-fields'
import { DefaultInput } from './default-input'
import { useEditor } from './editor-context'
import { LABEL_INPUT } from './focus'
import { IdentifierInput } from './identifier-input'
import { getNodeError } from './issues'
import { type GetError, SettingInput } from './setting-input'
import { TargetRules } from './target-rules'

const ESCAPED_DOT = '\\.'

/** All settings of a field. */
export function FieldSettings({ node, field }: { node: NodeOf<'field'>; field: EditorField }) {
  const { document, saved, apply, checked } = useEditor()
  const set = (part: Record<string, Json | undefined>, about?: string) =>
    apply(before => changeField(before, field.id, part), about && `${about} ${node.key}`)
  const getError: GetError = (path, deep) => getNodeError(checked.issues, node.key, path, deep)
  // Nothing depends on the ID of a field that was never saved.
  const isNew = !saved?.document.fields.some(each => each.id === field.id)
  return (
    <>
      <h2 className="font-semibold">{getTypeName(field.type)}</h2>
      <LabeledField label={t`Label`} error={getError('label')}>
        {attributes => (
          <Input
            {...attributes}
            id={LABEL_INPUT}
            aria-label={t`Field label`}
            maxLength={findSetting(field.type, 'label')?.maxLength}
            autoComplete="off"
            value={field.label ?? ''}
            onChange={event =>
              apply(before => changeLabel(before, field.id, event.target.value, isNew), `label ${node.key}`)
            }
          />
        )}
      </LabeledField>
      <LabeledField label={t`Type`} error={getError('type')}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={field.type}
            onChange={event =>
              apply(before => changeFieldType(before, field.id, event.target.value as FieldTypeName))
            }
          >
            {TYPE_NAMES.map(type => (
              <option key={type} value={type}>
                {getTypeName(type)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      {getGenericSettings(field).map(setting => {
        const key = `${field.type} ${setting.name}`
        const value = field[setting.name]
        const change = (next: Json | undefined) =>
          set({ [setting.name]: next }, setting.type === 'boolean' ? undefined : setting.name)
        return setting.type === 'fields' ? (
          <ChildFields
            key={key}
            label={i18n._(setting.label)}
            add={setting.name === 'columns' ? t`Add column` : t`Add field`}
            fields={(Array.isArray(value) ? value : []) as unknown as EditorField[]}
            getError={(path, deep) => getError(setting.name + path, deep)}
            onChange={fields => change(fields as unknown as Json)}
          />
        ) : (
          <SettingInput key={key} setting={setting} value={value} getError={getError} onChange={change} />
        )
      })}
      {FIELD_TYPES[field.type].value !== 'none' && (
        <DefaultInput
          field={field}
          help={t`Used when a request doesn't include this field.`}
          error={getError('default')}
          onChange={value => set({ default: value }, 'default')}
        />
      )}
      <details
        className="border-line border-t pt-3"
        open={getError('id') !== null || getError('path') !== null || undefined}
      >
        <summary className="cursor-pointer font-medium text-sm">{t`API mapping`}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <IdentifierInput
            value={field.id}
            taken={getTakenIds(document)}
            error={getError('id')}
            help={t`Identifies this field in rules and results.`}
            onChange={id => apply(before => renameField(before, field.id, id))}
          />
          <LabeledField
            label={t`Path`}
            help={t`Where to find the value in the request data. For example, customer.email. Defaults to the field's ID. Write ${ESCAPED_DOT} for a dot in a name.`}
            error={getError('path')}
          >
            {attributes => (
              <Input
                {...attributes}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-sm"
                placeholder={field.id}
                value={field.path ?? ''}
                onChange={event => set({ path: event.target.value || undefined }, 'path')}
              />
            )}
          </LabeledField>
        </div>
      </details>
      <TargetRules target={field.id} />
    </>
  )
}
