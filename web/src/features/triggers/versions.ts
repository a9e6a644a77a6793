import type { FormDefinition, Suggestion } from '@/form'

type Version = { form: FormDefinition; suggestion: Suggestion }

/** Whether two versions of a form differ in nothing that whoever fills it in would see: by their names, say. */
export const hasSameFields = (one: Version, other: Version): boolean =>
  getAskedFields(one) === getAskedFields(other)

const getAskedFields = ({ form: { version: _, name: __, ...form }, suggestion }: Version): string =>
  JSON.stringify([form, suggestion])
