import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '@/api/client'
import type { FormDefinition } from '@/form'
import { formatList, toSentence } from '@/lib/i18n'

/**
 * Texts for errors that aren't at a field of the form: with the field's label if there is one, and never with the path
 * in the API. `labels` are those of the page's own fields, by path.
 */
export const getErrorText = (
  form: FormDefinition,
  errors: readonly ErrorDetail[],
  labels: Readonly<Record<string, string>> = {},
): string =>
  errors
    .map(({ path, message }) => {
      const field = labels[path] ?? getChildLabels(form, path)
      return field ? t`${field}: ${{ message: toSentence(message) }}` : toSentence(message)
    })
    .join(' ')

/** An error at an object is about its fields; one at `data` is about the whole form. */
function getChildLabels(form: FormDefinition, path: string): string {
  if (path === 'data') return ''
  return formatList(
    form.fields.filter(field => `data.${field.path}`.startsWith(`${path}.`)).map(field => field.label),
  )
}
