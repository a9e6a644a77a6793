import { useQuery } from '@tanstack/react-query'
import { allAgentsQuery } from '@/api/settings/agents'
import { Input, Labelled, NativeSelect } from '@/components/input'
import { FIELD_TYPES } from '../document/field-types'
import type { EditorDocument, Width } from '../document/types'
import { useEditor } from './editor-context'
import { LABEL_INPUT } from './focus'
import { memberFault } from './issues'

const WIDTHS: readonly { id: Width; label: string }[] = [
  { id: 'narrow', label: 'Narrow: a few short fields' },
  { id: 'medium', label: 'Medium: text to read' },
  { id: 'wide', label: 'Wide: columns and tables' },
  { id: 'full', label: 'Full: as wide as the window' },
]

/** What the whole review type is called and looks like. */
export function FormSettings() {
  const { document, apply, checked } = useEditor()
  const agents = useQuery(allAgentsQuery).data ?? []
  const set = (part: Partial<EditorDocument>, about?: string) =>
    apply(before => ({ ...before, ...part }), about)
  return (
    <>
      <h2 className="font-semibold">Review type</h2>
      <Labelled label="Name" error={memberFault(checked.issues, 'name')}>
        {ties => (
          <Input
            {...ties}
            id={LABEL_INPUT}
            aria-label="Name of the review type"
            maxLength={200}
            autoComplete="off"
            value={document.name}
            onChange={event => set({ name: event.target.value }, 'name')}
          />
        )}
      </Labelled>
      <Labelled
        label="Agent"
        help="The program that asks for these reviews. Without one, every request names its own."
        error={memberFault(checked.issues, 'agentId')}
      >
        {ties => (
          <NativeSelect
            {...ties}
            value={document.agentId ?? ''}
            onChange={event => set({ agentId: event.target.value || null })}
          >
            <option value="">None</option>
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
      </Labelled>
      <Labelled
        label="Title field"
        help="Its text is the title of each review in the inbox."
        error={memberFault(checked.issues, 'titleField')}
      >
        {ties => (
          <NativeSelect
            {...ties}
            value={document.titleField ?? ''}
            onChange={event => set({ titleField: event.target.value || null })}
          >
            <option value="">None</option>
            {document.fields
              .filter(field => FIELD_TYPES[field.type].titles)
              .map(field => (
                <option key={field.id} value={field.id}>
                  {field.label || field.id}
                </option>
              ))}
          </NativeSelect>
        )}
      </Labelled>
      <Labelled label="Width" error={memberFault(checked.issues, 'width')}>
        {ties => (
          <NativeSelect
            {...ties}
            value={document.width}
            onChange={event => set({ width: event.target.value as Width })}
          >
            {WIDTHS.map(width => (
              <option key={width.id} value={width.id}>
                {width.label}
              </option>
            ))}
          </NativeSelect>
        )}
      </Labelled>
      <p className="text-muted text-sm">Select a field on the canvas to see its settings here.</p>
    </>
  )
}
