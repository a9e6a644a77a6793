/** Sample data as an agent might send it, for trying out a review type. */

import { t } from '@lingui/core/macro'
import { splitPath } from '@/form/paths'
import type { Json, JsonObject } from '@/form/types'
import { getValueKind } from './field-types'
import type { EditorField } from './types'

/** A realistic value that fits the field. */
export function createSampleValue(field: EditorField): Json | undefined {
  if (field.default !== undefined && field.default !== null) return field.default
  switch (field.type) {
    case 'text':
      return fitLength(field, `${field.label ?? field.id}`)
    case 'longText':
      return fitLength(field, `${t`This is a sample paragraph.`}\n\n${t`This one adds more detail.`}`)
    case 'markdown':
      return fitLength(
        field,
        t({
          message: '## Heading\n\nSome **important** text and a list:\n\n- one\n- two',
          comment: 'Sample data in Markdown',
        }),
      )
    case 'richText':
      return fitLength(
        field,
        t({ message: '<p>Some <strong>important</strong> text.</p>', comment: 'Sample data in HTML' }),
      )
    case 'code':
      return fitLength(field, 'def greet(name):\n    return f"Hello, {name}"')
    case 'email':
      return 'ann@example.com'
    case 'link':
      return 'https://example.com/article'
    case 'number':
      return clampNumber(field, 7)
    case 'rating':
      return clampNumber(field, 4)
    case 'boolean':
      return true
    case 'date':
      return clampDate(field, '2026-03-14')
    case 'datetime':
      return clampDate(field, '2026-03-14T09:30:00Z')
    case 'json':
      return { key: 'value', items: [1, 2] }
    case 'image':
      return 'https://example.com/image.png'
    case 'video':
      return 'https://example.com/video.mp4'
    case 'audio':
      return 'https://example.com/sound.mp3'
    case 'file':
      return 'https://example.com/report.pdf'
    case 'label':
      return undefined
    case 'buttons':
    case 'dropdown':
    case 'checkboxes':
      return choice(field)
    case 'list':
      return [item(field.item, 1), item(field.item, 2)]
    case 'table':
      return [item(field.columns, 1), item(field.columns, 2)]
  }
}

function fitLength(field: EditorField, text: string): string {
  const most = typeof field.maxLength === 'number' ? field.maxLength : Number.POSITIVE_INFINITY
  const least = typeof field.minLength === 'number' ? Math.min(field.minLength, 2_000) : 0
  return text.padEnd(least, '.').slice(0, most)
}

function clampNumber(field: EditorField, wanted: number): number {
  const least = typeof field.min === 'number' ? field.min : Number.NEGATIVE_INFINITY
  const most = typeof field.max === 'number' ? field.max : Number.POSITIVE_INFINITY
  return Math.max(least, Math.min(most, wanted))
}

function clampDate(field: EditorField, wanted: string): string {
  if (typeof field.min === 'string' && field.min > wanted) return field.min
  if (typeof field.max === 'string' && field.max < wanted) return field.max
  return wanted
}

type Choice = { id: string; label: string }

function choice(field: EditorField): Json {
  const options = (Array.isArray(field.options) ? field.options : []) as unknown as Choice[]
  if (options.length === 0) {
    // The options aren't fixed, so the request provides them.
    return {
      options: [
        { id: 'first', label: t`First option` },
        { id: 'second', label: t`Second option` },
      ],
      default: 'first',
    }
  }
  const [first] = options
  const several = getValueKind(field) === 'choices'
  if (first === undefined) return null
  return several ? [{ id: first.id, label: first.label }] : first.id
}

function item(children: Json | undefined, number: number): JsonObject {
  const fields = (Array.isArray(children) ? children : []) as unknown as EditorField[]
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = createSampleValue(field)
      if (value === undefined) return []
      return [[field.id, field.type === 'text' && typeof value === 'string' ? `${value} ${number}` : value]]
    }),
  )
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of fields without a value in the data. */
export const findMissing = (data: JsonObject, fields: readonly EditorField[]): EditorField[] =>
  fields.filter(field => getValueKind(field) !== 'none' && !has(data, getPath(field)))

export const getPath = (field: EditorField): string[] => splitPath(field.path || field.id)

function has(data: Json | undefined, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return data !== undefined
  return isObject(data) && Object.hasOwn(data, name) && has(data[name], rest)
}

/** The data with a sample value for every field without one. Existing values stay. */
export function fillIn(data: JsonObject, fields: readonly EditorField[]): JsonObject {
  let filled = data
  for (const field of findMissing(data, fields)) {
    const value = createSampleValue(field)
    if (value !== undefined) filled = setAtPath(filled, getPath(field), value)
  }
  return filled
}

function setAtPath(data: JsonObject, [name, ...rest]: readonly string[], value: Json): JsonObject {
  if (name === undefined) return data
  const below = Object.hasOwn(data, name) ? data[name] : undefined
  if (rest.length === 0) return { ...data, [name]: value }
  // A value of the wrong type comes from the agent and isn't ours to replace.
  if (below !== undefined && !isObject(below)) return data
  return { ...data, [name]: setAtPath(below ?? {}, rest, value) }
}
