import { useDeferredValue, useState } from 'react'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { CharacterCount } from './character-count'
import { EmptyValue } from './empty-value'
import { GrowingText } from './long-text'
import { MarkdownText } from './markdown-text'
import { EditOrPreview } from './view-switch'

/** Rendered first, as it's meant to be read; then edited as source, with the preview next to it if there is room. */
export function MarkdownEditor({
  field,
  value,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'markdown'>>) {
  const source = toText(value)
  const [view, setView] = useState<'read' | 'write'>(source === '' ? 'write' : 'read')
  const shown = useDeferredValue(source)
  const preview = shown === '' ? <EmptyValue /> : <MarkdownText source={shown} label={field.label} />
  if (readOnly) return preview
  return (
    <div className="@container flex flex-col gap-1.5">
      <EditOrPreview of={field.label} view={view} onChange={setView} />
      {view === 'read' ? (
        <div className="rounded-md border border-line bg-surface px-3 py-2">{preview}</div>
      ) : (
        <div className="grid gap-3 @3xl:grid-cols-2">
          <GrowingText
            attributes={attributes}
            text={source}
            required={field.required}
            className="min-h-32 font-mono text-sm"
            onChange={onChange}
          />
          <div className="hidden max-h-[70dvh] overflow-y-auto rounded-md border border-line bg-surface px-3 py-2 @3xl:block">
            {preview}
          </div>
        </div>
      )}
      <CharacterCount text={source} least={field.minLength} most={field.maxLength} />
    </div>
  )
}
