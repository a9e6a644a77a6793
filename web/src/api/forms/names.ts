/** Names of review types in the language of the page. */

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { i18n } from '@/lib/i18n'
import { activeFormsQuery, archivedFormsQuery } from './lists'

type NamedForm = { name: string; translatedNames?: Readonly<Record<string, string>> | null }

/** Something that refers to a review type by name, such as a review. */
type Mention = { formId: string; formName: string }

export const localizeName = ({ name, translatedNames }: NamedForm): string =>
  translatedNames?.[i18n.locale] ?? name

/** The name of an older version isn't translated if it differs from the current one. */
export function createNameLookup(
  forms: readonly (NamedForm & { formId: string })[],
): (mention: Mention) => string {
  const current = new Map(forms.map(form => [form.formId, form]))
  return ({ formId, formName }) => {
    const form = current.get(formId)
    return form?.name === formName ? localizeName(form) : formName
  }
}

/** Reviews of archived review types stay in lists, chats, and runs. Names aren't translated while they load. */
export function useFormName(): (mention: Mention) => string {
  const active = useQuery(activeFormsQuery).data
  const archived = useQuery(archivedFormsQuery).data
  return useMemo(() => createNameLookup([...(active ?? []), ...(archived ?? [])]), [active, archived])
}
