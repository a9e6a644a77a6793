/** Names of review types in the language of the page. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { i18n } from '@/lib/i18n'
import { allFormsQuery } from '../settings/agents'

type NamedForm = { name: string; translatedNames?: Readonly<Record<string, string>> | null }

/** Something that refers to a review type by name, such as a review. */
type Mention = { formId: string; formName: string }

export const localizeName = ({ name, translatedNames }: NamedForm): string =>
  translatedNames?.[i18n.locale] ?? name

/** The name of an older version isn't translated if it differs from the current one. */
export function createNameLookup(
  forms: readonly (NamedForm & { formId: string })[] | undefined,
): (mention: Mention) => string {
  const current = new Map(forms?.map(form => [form.formId, form]))
  return ({ formId, formName }) => {
    const form = current.get(formId)
    return form?.name === formName ? localizeName(form) : formName
  }
}

/** Uses the review types that the sidebar and the inbox load. Until then, names aren't translated. */
export function useFormName(): (mention: Mention) => string {
  const forms = useQuery({ ...allFormsQuery, enabled: false }).data
  return useMemo(() => createNameLookup(forms), [forms])
}
