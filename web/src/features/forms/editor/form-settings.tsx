import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { allAgentsQuery } from '@/api/settings/agents'
import { Input, LabeledField, NativeSelect } from '@/components/input'
import { i18n } from '@/lib/i18n'
import { WIDTHS } from '../document/change-details'
import { FIELD_TYPES } from '../document/field-types'
import type { EditorDocument, Width } from '../document/types'
import { useEditor } from './editor-context'
import { LABEL_INPUT } from './focus'
import { getPropertyError } from './issues'

/** The name and appearance of the whole review type. */
export function FormSettings() {
  const { document, apply, checked } = useEditor()
  const agents = useQuery(allAgentsQuery).data ?? []
  const set = (part: Partial<EditorDocument>, about?: string) =>
    apply(before => ({ ...before, ...part }), about)
  return (
    <>
      <h2 className="font-semibold">{t`Review type`}</h2>
      <LabeledField label={t`Name`} error={getPropertyError(checked.issues, 'name')}>
        {attributes => (
          <Input
            {...attributes}
            id={LABEL_INPUT}
            aria-label={t`Review type name`}
            maxLength={200}
            autoComplete="off"
            value={document.name}
            onChange={event => set({ name: event.target.value }, 'name')}
          />
        )}
      </LabeledField>
      <LabeledField
        label={t`Agent`}
        help={t`The agent that requests these reviews. If you choose None, each request must name an agent.`}
        error={getPropertyError(checked.issues, 'agentId')}
      >
        {attributes => (
          <NativeSelect
            {...attributes}
            value={document.agentId ?? ''}
            onChange={event => set({ agentId: event.target.value || null })}
          >
            <option value="">{t({ message: 'None', context: 'agent' })}</option>
            {document.agentId !== null && !agents.some(agent => agent.agentId === document.agentId) && (
              <option value={document.agentId}>{document.agentId}</option>
            )}
            {agents.map(agent => (
              <option key={agent.agentId} value={agent.agentId}>
                {agent.name}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField
        label={t`Title field`}
        help={t`Used as the review's title in the inbox.`}
        error={getPropertyError(checked.issues, 'titleField')}
      >
        {attributes => (
          <NativeSelect
            {...attributes}
            value={document.titleField ?? ''}
            onChange={event => set({ titleField: event.target.value || null })}
          >
            <option value="">{t({ message: 'None', context: 'field' })}</option>
            {document.fields
              .filter(field => FIELD_TYPES[field.type].canBeTitle)
              .map(field => (
                <option key={field.id} value={field.id}>
                  {field.label || field.id}
                </option>
              ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField label={t`Width`} error={getPropertyError(checked.issues, 'width')}>
        {attributes => (
          <NativeSelect
            {...attributes}
            value={document.width}
            onChange={event => set({ width: event.target.value as Width })}
          >
            {Object.entries(WIDTHS).map(([width, label]) => (
              <option key={width} value={width}>
                {i18n._(label)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <p className="text-muted text-sm">{t`Select a field to edit its properties.`}</p>
    </>
  )
}
