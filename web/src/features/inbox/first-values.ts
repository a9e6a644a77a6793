/** What a review is about, in a line: the first values that its agent suggested. */

import { plural, t } from '@lingui/core/macro'
import { formatList } from '@/lib/i18n'

type Option = { id: string; label: string }
type FieldLike = { id: string; label?: string; type?: string; options?: unknown }

type Suggested = {
  values: Readonly<Record<string, unknown>>
  configs?: Readonly<Record<string, { options?: unknown } | undefined>> | null
}

export type FirstValue = { label: string; text: string }

const SHOWN = 3
const LONGEST = 80

/** Those that say something in few words; media and long structures do not. */
export function firstValues(
  fields: readonly Record<string, unknown>[],
  { values, configs }: Suggested,
  titleField: string | null | undefined,
): FirstValue[] {
  const found: FirstValue[] = []
  for (const field of fields as unknown as FieldLike[]) {
    if (found.length === SHOWN) break
    if (field.id === titleField || field.type === 'label') continue
    const text = shortText(values[field.id], optionsOf(configs?.[field.id]) ?? optionsOf(field))
    if (text) found.push({ label: field.label || field.id, text })
  }
  return found
}

const optionsOf = (place: { options?: unknown } | undefined): readonly Option[] | undefined =>
  Array.isArray(place?.options) ? (place.options as Option[]) : undefined

export function shortText(value: unknown, options: readonly Option[] = []): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return cut(options.find(option => option.id === value)?.label ?? value)
  if (!Array.isArray(value)) {
    const { id, label } = value as Partial<Option>
    return shortText(options.find(option => option.id === id)?.label ?? label)
  }
  if (value.length === 0) return ''
  const count = value.length
  const texts = value.map(item => shortText(item, options)).filter(Boolean)
  return texts.length === count
    ? cut(formatList(texts, 'unit'))
    : plural(count, { one: '# item', other: '# items' })
}

export function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = [...line.slice(0, LONGEST * 2 + 2)]
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : line
}
