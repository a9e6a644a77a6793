import type { FormDefinition, Suggestion } from '@/form'

type Version = { form: FormDefinition; suggestion: Suggestion }

/** Whether two versions of a form look the same to the person who fills it out. Their names may differ, for example. */
export const hasSameFields = (one: Version, other: Version): boolean => getFields(one) === getFields(other)

const getFields = ({ form: { version: _, name: __, ...form }, suggestion }: Version): string =>
  JSON.stringify([form, suggestion])
