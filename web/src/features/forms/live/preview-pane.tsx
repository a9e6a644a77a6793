import { plural, t } from '@lingui/core/macro'
import { Eye, RotateCcw, TriangleAlert } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ApiError } from '@/api/client'
import { localizeDefinition } from '@/api/forms/localize'
import { Button } from '@/components/button'
import { NativeSelect } from '@/components/input'
import { EmptyState, Notice } from '@/components/status'
import { ReviewForm } from '@/form'
import { formatList, getDirection, intl } from '@/lib/i18n'
import { languageLabel } from '@/lib/language-names'
import { findMissing } from '../document/sample'
import { useEditor } from '../editor/editor-context'
import { NOT_COPIED } from './not-copied'
import type { PreviewState } from './use-preview'

/** The review as reviewers see it, filled with the sample data. */
export function PreviewPane({
  preview,
  language: fixed,
}: {
  preview: PreviewState
  /** Without it, the preview offers a language menu if there are translations. */
  language?: string
}) {
  const { document, checked, sample } = useEditor()
  const { form: original, suggestion } = preview
  const [chosen, setChosen] = useState('')
  const wanted = fixed ?? chosen
  const language = document.languages.includes(wanted) ? wanted : null
  const form = useMemo(
    () => (original && language ? localizeDefinition(original, language) : original),
    [original, language],
  )
  const { values, change, revert } = preview
  // Deferred, because many fields take long to render, and typing elsewhere must not wait for it.
  const review = useMemo(
    () =>
      form &&
      suggestion && (
        <ReviewForm
          form={form}
          suggestion={suggestion}
          values={values}
          onChange={change}
          onRevert={revert}
          trigger={document.trigger}
          media={NOT_COPIED}
          idPrefix="preview"
        />
      ),
    [form, suggestion, values, change, revert, document.trigger],
  )
  const missing = sample.isTyped ? findMissing(sample.data, document.fields) : []
  return (
    <section aria-label={t`Preview`} className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 items-center gap-2">
        <h2 className="flex-1 font-semibold">{t`Preview`}</h2>
        {fixed === undefined && document.languages.length > 0 && (
          <NativeSelect
            aria-label={t`Preview language`}
            className="w-auto min-w-0"
            value={language ?? ''}
            onChange={event => setChosen(event.target.value)}
          >
            <option value="">
              {t({ message: 'Original', comment: 'The texts as written, without translation' })}
            </option>
            {document.languages.map(each => (
              <option key={each} value={each}>
                {languageLabel(each)}
              </option>
            ))}
          </NativeSelect>
        )}
        {preview.isEdited && (
          <Button size="small" kind="quiet" icon={<RotateCcw />} onClick={preview.startAgain}>
            {t`Reset`}
          </Button>
        )}
      </header>
      {(checked.errors > 0 || preview.error) && form !== null && (
        <Notice tone="warn" icon={<TriangleAlert />}>
          {preview.error instanceof ApiError && preview.error.status !== 422
            ? preview.error.message
            : t`This preview is out of date. Fix the errors to update it.`}
        </Notice>
      )}
      {preview.errors.length > 0 && (
        <Notice tone="warn" icon={<TriangleAlert />}>
          {t`The sample data is invalid: ${{ errors: sampleErrors(preview.errors) }}`}
        </Notice>
      )}
      {missing.length > 0 && (
        <Notice
          actions={
            <Button size="small" onClick={() => sample.set(null)}>
              {t`Use generated data`}
            </Button>
          }
        >
          {missingFields(missing.map(field => field.label || field.id))}
        </Notice>
      )}
      {review === null ? (
        <EmptyState
          icon={<Eye />}
          title={document.fields.length === 0 ? t`No fields yet` : t`No preview yet`}
        >
          {document.fields.length === 0
            ? t`Add a field to see a preview.`
            : checked.errors > 0
              ? t`Fix the errors to see a preview.`
              : null}
        </EmptyState>
      ) : (
        <div
          {...(language && { lang: language, dir: getDirection(language) })}
          className="min-w-0 rounded-lg border border-line bg-surface p-4"
        >
          {review}
        </div>
      )}
    </section>
  )
}

const MAX_ERRORS = 3
const MAX_FIELDS = 5

const sampleErrors = (errors: PreviewState['errors']): string =>
  intl(Intl.ListFormat, { type: 'unit' }).format(
    errors.slice(0, MAX_ERRORS).map(({ path, message }) => `${path} ${message}`),
  )

function missingFields(names: readonly string[]): string {
  const more = names.length - MAX_FIELDS
  if (more <= 0)
    return t`The preview may leave out these fields because they aren't in the sample data: ${{ fields: formatList(names) }}.`
  const fields = intl(Intl.ListFormat, { type: 'unit' }).format(names.slice(0, MAX_FIELDS))
  return t`The preview may leave out these fields because they aren't in the sample data: ${fields}, and ${plural(more, { other: '# more' })}.`
}
