import {
  applySubmission,
  editedFields,
  type FormDefinition,
  type Json,
  type Suggestion,
  type Values,
} from '@/form'

/** The values of an earlier revision, as far as they can be read without the service: offered options aren't values. */
export function getValues(
  form: FormDefinition,
  data: Record<string, unknown>,
  configs: Suggestion['configs'],
): Values {
  return applySubmission(form, createBlank(form, configs), data as Json)
}

export function createBlank(form: FormDefinition, configs: Suggestion['configs']): Suggestion {
  const values = Object.fromEntries(form.fields.map(field => [field.id, null]))
  return { values, responseValues: {}, ...(configs && { configs }) }
}

/** The fields in which two revisions differ. */
export const findDifferences = (form: FormDefinition, before: Values, after: Values): string[] =>
  editedFields(form, { values: before, responseValues: {} }, after)
