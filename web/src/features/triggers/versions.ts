import type { FormDefinition, Suggestion } from '@/form'

type Version = { form: FormDefinition; suggestion: Suggestion }

/** Whether two versions of a form differ in nothing that whoever fills it in would see: by their names, say. */
export const asksTheSame = (one: Version, other: Version): boolean => asked(one) === asked(other)

const asked = ({ form: { version: _, name: __, ...form }, suggestion }: Version): string =>
  JSON.stringify([form, suggestion])
