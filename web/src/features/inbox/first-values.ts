/** What a review is about, in a line: the first values that its agent suggested. */

import { plural, t } from '@lingui/core/macro'
import { formatList } from '@/lib/i18n'

type Option = { id: string; label: string }
type FieldLike = { id: string; label?: string; type?: string; options?: unknown }

export type FirstValue = { label: string; text: string }

const SHOWN = 3
const LONGEST = 80

/** Those that say something in few words; media and long structures do not. */
export function firstValues(
  fields: readonly Record<string, unknown>[],
  values: Readonly<Record<string, unknown>>,
  titleField: string | null | undefined,
): FirstValue[] {
  const found: FirstValue[] = []
  for (const field of fields as unknown as FieldLike[]) {
    if (found.length === SHOWN) break
    if (field.id === titleField || field.type === 'label') continue
    const text = shortText(values[field.id], optionsOf(field))
    if (text) found.push({ label: field.label || field.id, text })
  }
  return found
}

const optionsOf = (field: FieldLike): readonly Option[] =>
  Array.isArray(field.options) ? (field.options as Option[]) : []

export function shortText(value: unknown, options: readonly Option[] = []): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return cut(options.find(option => option.id === value)?.label ?? value)
  if (!Array.isArray(value)) return 'label' in (value as object) ? shortText((value as Option).label) : ''
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
