import { Eye, RotateCcw, TriangleAlert } from 'lucide-react'
import { ApiError } from '@/api/client'
import { Button } from '@/components/button'
import { Empty, Notice } from '@/components/status'
import { ReviewForm } from '@/form'
import { missingIn } from '../document/sample'
import { useEditor } from '../editor/editor-context'
import { NOT_COPIED } from './not-copied'
import type { PreviewState } from './use-preview'

/** The review as the reviewer will see it, with the sample in it. */
export function PreviewPane({ preview }: { preview: PreviewState }) {
  const { document, checked, sample } = useEditor()
  const { form, suggestion } = preview
  const missing = sample.isTyped ? missingIn(sample.data, document.fields) : []
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 items-center gap-2">
        <h2 className="flex-1 font-semibold">Preview</h2>
        {preview.isEdited && (
          <Button size="small" kind="quiet" icon={<RotateCcw size={14} />} onClick={preview.startAgain}>
            As suggested
          </Button>
        )}
      </header>
      {(checked.errors > 0 || preview.error) && form !== null && (
        <Notice tone="warn" icon={<TriangleAlert size={15} aria-hidden="true" />}>
          {preview.error instanceof ApiError && preview.error.status !== 422
            ? preview.error.message
            : 'This is how it was before: the review type has faults now.'}
        </Notice>
      )}
      {preview.errors.length > 0 && (
        <Notice tone="warn" icon={<TriangleAlert size={15} aria-hidden="true" />}>
          The sample would be refused:{' '}
          {preview.errors
            .slice(0, 3)
            .map(fault => `${fault.path} ${fault.message}`)
            .join('; ')}
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice
          actions={
            <Button size="small" onClick={() => sample.set(null)}>
              Use a made-up sample
            </Button>
          }
        >
          Not in the sample, so perhaps not shown:{' '}
          {missing
            .slice(0, 5)
            .map(field => field.label || field.id)
            .join(', ')}
          {missing.length > 5 && ` and ${missing.length - 5} more`}.
        </Notice>
      )}
      {form === null || suggestion === null ? (
        <Empty
          icon={<Eye size={26} />}
          title={document.fields.length === 0 ? 'Nothing to see yet' : 'No preview yet'}
        >
          {document.fields.length === 0
            ? 'As soon as there is a field, the review is shown here.'
            : checked.errors > 0
              ? 'It appears when the faults are settled.'
              : null}
        </Empty>
      ) : (
        <div className="min-w-0 rounded-lg border border-line bg-surface p-4">
          <ReviewForm
            form={form}
            suggestion={suggestion}
            values={preview.values}
            onChange={preview.change}
            onRevert={preview.revert}
            trigger={document.trigger}
            media={NOT_COPIED}
            idPrefix="preview"
          />
        </div>
      )}
    </section>
  )
}
