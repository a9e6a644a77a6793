import { Suspense, useState } from 'react'
import { lazyPart } from '@/components/lazy'
import { type EditorProps, toText } from '../editor-props'
import type { FieldOf } from '../types'
import { CharacterCount } from './character-count'
import { EmptyValue } from './empty-value'
import { LongValue } from './long-value'
import { EditOrPreview } from './view-switch'

const RenderedHtml = lazyPart(() => import('./rendered-html'))
const RichTextLoss = lazyPart(() => import('./rich-text-loss'))
const RichTextInput = lazyPart(() => import('./rich-text-input'))

/** Formatted text. The editor opens only on request, because it rewrites the HTML in its own way. */
export function RichTextEditor({
  field,
  value,
  suggested,
  onChange,
  readOnly,
  attributes,
}: EditorProps<FieldOf<'richText'>>) {
  const html = toText(value)
  const [view, setView] = useState<'read' | 'write'>(html === '' ? 'write' : 'read')
  // A list item has no suggestion of its own: its first value takes its place.
  const [first] = useState(html)
  const original = typeof suggested === 'string' ? suggested : first
  const reading = html === '' ? <EmptyValue /> : <HtmlText html={html} label={field.label} />
  const loss = original !== '' && (
    <Suspense fallback={null}>
      <RichTextLoss
        label={field.label}
        html={html}
        original={original}
        isEditing={!readOnly && view === 'write'}
        {...(!readOnly && { onRestore: () => onChange(original) })}
      />
    </Suspense>
  )
  if (readOnly)
    return (
      <div className="flex flex-col gap-1.5">
        {reading}
        {loss}
      </div>
    )
  return (
    <div className="flex flex-col gap-1.5">
      <EditOrPreview of={field.label} view={view} onChange={setView} />
      {view === 'read' ? (
        <div className="rounded-md border border-line bg-surface px-3 py-2">{reading}</div>
      ) : (
        <Suspense fallback={<div data-loading className="h-32 rounded-md border border-line bg-surface" />}>
          <RichTextInput
            html={html}
            suggested={toText(suggested)}
            onChange={onChange}
            attributes={attributes}
            required={field.required}
          />
        </Suspense>
      )}
      {loss}
      <CharacterCount text={html} least={field.minLength} most={field.maxLength} />
    </div>
  )
}

function HtmlText({ html, label }: { html: string; label: string }) {
  return (
    <LongValue text={html} label={label} most={200_000}>
      {shown => (
        <Suspense fallback={<div data-loading className="h-20" />}>
          <RenderedHtml html={shown} />
        </Suspense>
      )}
    </LongValue>
  )
}
