/** Conditions without code: what can be asked about each field, in words, and which values fit. */

import { parsePath } from '@/form/operators'
import type { Condition, Json, Option, Rule, When } from '@/form/types'
import { FIELD_TYPES, type ValueKind, valueKind } from '../document/field-types'
import { fieldIdsIn, groupsIn } from '../document/tree'
import type { EditorDocument, EditorField } from '../document/types'

/** Which control fits the value of a condition. */
export type Asked = 'none' | 'text' | 'number' | 'date' | 'datetime' | 'option'

export type Operation = { id: string; words: string; takes: Asked }

const op = (id: string, words: string, takes: Asked): Operation => ({ id, words, takes })

const SAME = (takes: Asked) => [op('equal', 'is', takes), op('notEqual', 'is not', takes)]
const ORDER = (takes: Asked, words: readonly [string, string, string, string]) => [
  op('greaterThanOrEqual', words[0], takes),
  op('greaterThan', words[1], takes),
  op('lessThanOrEqual', words[2], takes),
  op('lessThan', words[3], takes),
]
const MOMENTS = ['is on or after', 'is after', 'is on or before', 'is before'] as const

const BY_KIND: Readonly<Record<ValueKind, readonly Operation[]>> = {
  text: [
    ...SAME('text'),
    op('contains', 'contains', 'text'),
    op('startsWith', 'begins with', 'text'),
    op('endsWith', 'ends with', 'text'),
  ],
  number: [
    ...ORDER('number', ['is at least', 'is more than', 'is at most', 'is less than']),
    ...SAME('number'),
  ],
  boolean: [op('isTrue', 'is yes', 'none'), op('isFalse', 'is no', 'none')],
  date: [...ORDER('date', MOMENTS), ...SAME('date')],
  datetime: [...ORDER('datetime', MOMENTS), ...SAME('datetime')],
  choice: SAME('option'),
  choices: [
    op('arrayIsNotEmpty', 'has something chosen', 'none'),
    op('arrayIsEmpty', 'has nothing chosen', 'none'),
  ],
  items: [op('arrayIsNotEmpty', 'has items', 'none'), op('arrayIsEmpty', 'has no items', 'none')],
  json: SAME('text'),
  none: [],
}

const EDITED = [op('isTrue', 'was edited', 'none'), op('isFalse', 'was not edited', 'none')]
const CHOSEN = [op('arrayIncludes', 'includes', 'option'), op('arrayExcludes', 'does not include', 'option')]

/** Something that a condition can be about. */
export type Subject = {
  path: string
  label: string
  operations: readonly Operation[]
  options: readonly Option[]
}

const optionsOf = (field: EditorField): Option[] =>
  (Array.isArray(field.options) ? field.options : []) as Option[]

/** Everything that conditions of this document can be about. */
export function subjectsOf(document: EditorDocument): Subject[] {
  return document.fields.flatMap(field => {
    const kind = valueKind(field)
    if (kind === 'none') return []
    const label = field.label || field.id
    const options = optionsOf(field)
    const own: Subject[] = [{ path: `${field.id}.value`, label, operations: BY_KIND[kind], options }]
    if (kind === 'choices')
      own.unshift({ path: `${field.id}.value[].id`, label, operations: CHOSEN, options })
    if (kind === 'items') own.push(...childSubjects(field, label))
    if (FIELD_TYPES[field.type].tracksEdits)
      own.push({ path: `${field.id}.wasEdited`, label, operations: EDITED, options: [] })
    return own
  })
}

function childSubjects(field: EditorField, label: string): Subject[] {
  const children = (field.item ?? field.columns ?? []) as unknown as EditorField[]
  return children.flatMap(child => {
    const kind = valueKind(child)
    if (!['text', 'number', 'boolean', 'date', 'datetime', 'choice'].includes(kind)) return []
    return [
      {
        path: `${field.id}.value[].${child.id}`,
        label: `${label}: any ${child.label || child.id}`,
        operations: BY_KIND[kind],
        options: optionsOf(child),
      },
    ]
  })
}

/** What a person picks first: a field, or something inside it; the choice of operation decides the rest of the path. */
export type Topic = { id: string; label: string; subjects: readonly Subject[] }

export function topicsOf(document: EditorDocument): Topic[] {
  const topics = new Map<string, Subject[]>()
  for (const subject of subjectsOf(document)) {
    const known = topics.get(subject.label + topicKey(subject))
    if (known) known.push(subject)
    else topics.set(subject.label + topicKey(subject), [subject])
  }
  return [...topics.values()].map(subjects => ({
    id: topicKey(subjects[0] as Subject),
    label: (subjects[0] as Subject).label,
    subjects,
  }))
}

/** Fields, what was chosen in them and whether they were edited are one topic; a child of a list is its own. */
function topicKey(subject: Subject): string {
  const path = parsePath(subject.path)
  if (path?.property && path.property !== 'id') return subject.path
  if (path?.property === 'id' && subject.operations !== CHOSEN) return subject.path
  return path?.field ?? subject.path
}

export const topicOf = (topics: readonly Topic[], path: string): Topic | undefined =>
  topics.find(topic => topic.subjects.some(subject => subject.path === path))

const OTHER_FORMS: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'notEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  arrayNotIncludes: 'arrayExcludes',
}

export const operationId = (id: string): string => OTHER_FORMS[id] ?? id

/** The words of any operation, also of one that does not fit the field. */
export function operationWords(condition: Condition, subjects: readonly Subject[]): string {
  const id = operationId(condition.operation)
  const own = subjects.find(subject => subject.path === condition.field)?.operations ?? []
  const known = [...own, ...Object.values(BY_KIND).flat(), ...CHOSEN]
  return known.find(each => each.id === id)?.words ?? id
}

/** A value that the operation can start from. */
export function firstValue(operation: Operation, subject: Subject): Json | undefined {
  switch (operation.takes) {
    case 'none':
      return undefined
    case 'number':
      return 0
    case 'option':
      return subject.options[0]?.id ?? ''
    case 'date':
      return new Date().toISOString().slice(0, 10)
    case 'datetime':
      return `${new Date().toISOString().slice(0, 19)}Z`
    default:
      return ''
  }
}

export function conditionAbout(subject: Subject, operation: Operation): Condition {
  const value = firstValue(operation, subject)
  return { field: subject.path, operation: operation.id, ...(value !== undefined && { value }) }
}

/** A condition about the first field that is neither the target itself nor in it. */
export function firstCondition(document: EditorDocument, target: string): Condition {
  const subjects = subjectsOf(document)
  const group = groupsIn(document.layout).find(each => each.id === target)
  const own = new Set([target, ...fieldIdsIn(group?.children ?? [])])
  const subject = subjects.find(each => !own.has(parsePath(each.path)?.field ?? '')) ?? subjects[0]
  const operation = subject?.operations[0]
  if (subject === undefined || operation === undefined) return { field: '', operation: 'equal', value: '' }
  return conditionAbout(subject, operation)
}

export const newRule = (document: EditorDocument, target: string): Rule => ({
  target,
  effect: 'show',
  when: { all: [firstCondition(document, target)] },
})

export const isCondition = (when: When): when is Condition => 'operation' in when
