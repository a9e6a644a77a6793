import { t } from '@lingui/core/macro'
import type { ErrorDetail } from '@/api/client'
import type { FormDefinition } from '@/form'
import { formatList, sentence } from '@/lib/i18n'

/**
 * Errors that are at no field of the form, for people: with the label of what is meant, where it has one, and never with
 * the path in the API. `labels` are those of the page's own fields, by their paths.
 */
export const errorWords = (
  form: FormDefinition,
  errors: readonly ErrorDetail[],
  labels: Readonly<Record<string, string>> = {},
): string =>
  errors
    .map(({ path, message }) => {
      const field = labels[path] ?? labelsBelow(form, path)
      return field ? t`${field}: ${{ message: sentence(message) }}` : sentence(message)
    })
    .join(' ')

/** An error at an object is about the fields in it; one at all of `data` is about the whole form. */
function labelsBelow(form: FormDefinition, path: string): string {
  if (path === 'data') return ''
  return formatList(
    form.fields.filter(field => `data.${field.path}`.startsWith(`${path}.`)).map(field => field.label),
  )
}
