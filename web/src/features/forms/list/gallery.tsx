import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { previewQuery, templatesQuery } from '@/api/forms/queries'
import type { Template } from '@/api/forms/types'
import { Button } from '@/components/button'
import { ErrorState, Spinner } from '@/components/status'
import { type JsonObject, ReviewForm, type Suggestion } from '@/form'
import { classes } from '@/lib/classes'
import { useLanguage } from '@/lib/i18n'
import { normalizeForm } from '../document/normal'
import { type ReadableForm, readForm } from '../document/read'
import { writeForm } from '../document/write'
import { NOT_COPIED } from '../live/not-copied'

const BELOW_EACH_OTHER = '(max-width: 767px)'

/** Templates with a preview of each, filled with its sample data. */
export function Gallery({ onChoose }: { onChoose: (form: ReadableForm, sample: JsonObject) => void }) {
  const templates = useQuery(templatesQuery(useLanguage()))
  const [chosen, setChosen] = useState<string | null>(null)
  const look = useRef<HTMLDivElement>(null)
  if (templates.isPending) return <Spinner />
  if (templates.isError)
    return (
      <ErrorState
        title={t`Couldn't load the templates`}
        error={templates.error}
        onRetry={() => templates.refetch()}
      />
    )
  const template = templates.data.find(each => each.templateId === chosen) ?? templates.data[0]
  return (
    <div className="grid gap-5 md:grid-cols-[16rem_minmax(0,1fr)]">
      <ul aria-label={t`Templates`} className="flex flex-col gap-1">
        {templates.data.map(each => (
          <li key={each.templateId}>
            <button
              type="button"
              aria-pressed={each === template}
              onClick={() => {
                setChosen(each.templateId)
                // On a phone the preview is below the list, out of sight.
                if (matchMedia(BELOW_EACH_OTHER).matches) look.current?.scrollIntoView({ block: 'start' })
              }}
              onDoubleClick={() => onChoose(each.form, each.sample as JsonObject)}
              className={classes(
                'w-full rounded-md px-3 py-2 text-start',
                each === template ? 'bg-selected' : 'hover:bg-sunken',
              )}
            >
              <span className="block font-medium">{each.name}</span>
              <span className="block text-muted text-sm">{each.summary}</span>
            </button>
          </li>
        ))}
      </ul>
      {template && (
        <div ref={look} className="flex min-w-0 flex-col gap-3">
          <div className="flex items-center gap-3">
            <h3 dir="auto" className="min-w-0 flex-1 truncate font-semibold">
              {template.name}
            </h3>
            <Button kind="primary" onClick={() => onChoose(template.form, template.sample as JsonObject)}>
              {t`Use template`}
            </Button>
          </div>
          <TemplatePreview key={template.templateId} template={template} />
        </div>
      )}
    </div>
  )
}

function TemplatePreview({ template }: { template: Template }) {
  const written = useMemo(() => writeForm(readForm(template.form)), [template])
  const form = useMemo(() => normalizeForm(written), [written])
  const preview = useQuery(previewQuery(JSON.stringify({ form: written, data: template.sample })))
  if (preview.isError) return <ErrorState title={t`Couldn't load the preview`} error={preview.error} />
  if (preview.data === undefined || preview.isPlaceholderData) return <Spinner />
  return (
    <div inert className="max-h-[60dvh] min-w-0 overflow-y-auto rounded-lg border border-line bg-surface p-4">
      <ReviewForm
        form={form}
        suggestion={preview.data as unknown as Suggestion}
        values={preview.data.values as Suggestion['values']}
        onChange={() => undefined}
        onRevert={() => undefined}
        media={NOT_COPIED}
        idPrefix="template"
      />
    </div>
  )
}
