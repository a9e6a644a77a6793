/** Conditions without code: the operators of each field, and which values fit. */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { parsePath } from '@/form/operators'
import type { Condition, Json, Option, Rule, When } from '@/form/types'
import { i18n } from '@/lib/i18n'
import { FIELD_TYPES, getValueKind, type ValueKind } from '../document/field-types'
import { getFieldIds, getGroups } from '../document/tree'
import type { EditorDocument, EditorField } from '../document/types'

/** Which control fits the value of a condition. */
export type NeededValue = 'none' | 'text' | 'number' | 'date' | 'datetime' | 'option'

/** Its text goes between a field and a value: `Amount is at least 5`. */
export type Operation = { id: string; words: MessageDescriptor; takes: NeededValue }

const createOperation = (id: string, words: MessageDescriptor, takes: NeededValue): Operation => ({
  id,
  words,
  takes,
})

const createEqualityOperations = (takes: NeededValue) => [
  createOperation('equal', msg({ message: 'is', context: 'condition' }), takes),
  createOperation('notEqual', msg({ message: 'is not', context: 'condition' }), takes),
]
const createComparisonOperations = (
  takes: NeededValue,
  words: Record<'atLeast' | 'over' | 'atMost' | 'under', MessageDescriptor>,
) => [
  createOperation('greaterThanOrEqual', words.atLeast, takes),
  createOperation('greaterThan', words.over, takes),
  createOperation('lessThanOrEqual', words.atMost, takes),
  createOperation('lessThan', words.under, takes),
]
const AMOUNT_WORDS = {
  atLeast: msg({ message: 'is at least', context: 'condition' }),
  over: msg({ message: 'is greater than', context: 'condition' }),
  atMost: msg({ message: 'is at most', context: 'condition' }),
  under: msg({ message: 'is less than', context: 'condition' }),
}
const TIME_WORDS = {
  atLeast: msg({ message: 'is on or after', context: 'condition' }),
  over: msg({ message: 'is after', context: 'condition' }),
  atMost: msg({ message: 'is on or before', context: 'condition' }),
  under: msg({ message: 'is before', context: 'condition' }),
}

const OPERATIONS_BY_KIND: Readonly<Record<ValueKind, readonly Operation[]>> = {
  text: [
    ...createEqualityOperations('text'),
    createOperation('contains', msg({ message: 'contains', context: 'condition' }), 'text'),
    createOperation('startsWith', msg({ message: 'starts with', context: 'condition' }), 'text'),
    createOperation('endsWith', msg({ message: 'ends with', context: 'condition' }), 'text'),
  ],
  number: [...createComparisonOperations('number', AMOUNT_WORDS), ...createEqualityOperations('number')],
  boolean: [
    createOperation('isTrue', msg({ message: 'is yes', context: 'condition' }), 'none'),
    createOperation('isFalse', msg({ message: 'is no', context: 'condition' }), 'none'),
  ],
  date: [...createComparisonOperations('date', TIME_WORDS), ...createEqualityOperations('date')],
  datetime: [...createComparisonOperations('datetime', TIME_WORDS), ...createEqualityOperations('datetime')],
  choice: createEqualityOperations('option'),
  choices: [
    createOperation('arrayIsNotEmpty', msg({ message: 'has a selection', context: 'condition' }), 'none'),
    createOperation('arrayIsEmpty', msg({ message: 'has no selection', context: 'condition' }), 'none'),
  ],
  items: [
    createOperation('arrayIsNotEmpty', msg({ message: 'has items', context: 'condition' }), 'none'),
    createOperation('arrayIsEmpty', msg({ message: 'has no items', context: 'condition' }), 'none'),
  ],
  json: createEqualityOperations('text'),
  none: [],
}

const EDITED_OPERATIONS = [
  createOperation('isTrue', msg({ message: 'was edited', context: 'condition' }), 'none'),
  createOperation('isFalse', msg({ message: "wasn't edited", context: 'condition' }), 'none'),
]
const CHOSEN = [
  createOperation('arrayIncludes', msg({ message: 'includes', context: 'condition' }), 'option'),
  createOperation('arrayExcludes', msg({ message: "doesn't include", context: 'condition' }), 'option'),
]

/** What a condition can be about. */
export type Subject = {
  path: string
  label: string
  operations: readonly Operation[]
  options: readonly Option[]
}

const getOptions = (field: EditorField): Option[] =>
  (Array.isArray(field.options) ? field.options : []) as Option[]

/** Everything that conditions of this document can be about. */
export function getSubjects(document: EditorDocument): Subject[] {
  return document.fields.flatMap(field => {
    const kind = getValueKind(field)
    if (kind === 'none') return []
    const label = field.label || field.id
    const options = getOptions(field)
    const own: Subject[] = [
      { path: `${field.id}.value`, label, operations: OPERATIONS_BY_KIND[kind], options },
    ]
    if (kind === 'choices')
      own.unshift({ path: `${field.id}.value[].id`, label, operations: CHOSEN, options })
    if (kind === 'items') own.push(...getChildSubjects(field, label))
    if (FIELD_TYPES[field.type].tracksEdits)
      own.push({ path: `${field.id}.wasEdited`, label, operations: EDITED_OPERATIONS, options: [] })
    return own
  })
}

function getChildSubjects(field: EditorField, label: string): Subject[] {
  const children = (field.item ?? field.columns ?? []) as unknown as EditorField[]
  return children.flatMap(child => {
    const kind = getValueKind(child)
    if (!['text', 'number', 'boolean', 'date', 'datetime', 'choice'].includes(kind)) return []
    return [
      {
        path: `${field.id}.value[].${child.id}`,
        label: t`${{ list: label }}: any ${{ field: child.label || child.id }}`,
        operations: OPERATIONS_BY_KIND[kind],
        options: getOptions(child),
      },
    ]
  })
}

/** What the member picks first: a field, or something inside it; the operation then decides the rest of the path. */
export type Topic = { id: string; label: string; subjects: readonly Subject[] }

export function getTopics(document: EditorDocument): Topic[] {
  const topics = new Map<string, Subject[]>()
  for (const subject of getSubjects(document)) {
    const known = topics.get(subject.label + getTopicKey(subject))
    if (known) known.push(subject)
    else topics.set(subject.label + getTopicKey(subject), [subject])
  }
  return [...topics.values()].map(subjects => ({
    id: getTopicKey(subjects[0] as Subject),
    label: (subjects[0] as Subject).label,
    subjects,
  }))
}

/** A field, its selected options and whether it was edited are one topic; a child of a list is a topic of its own. */
function getTopicKey(subject: Subject): string {
  const path = parsePath(subject.path)
  if (path?.property && path.property !== 'id') return subject.path
  if (path?.property === 'id' && subject.operations !== CHOSEN) return subject.path
  return path?.field ?? subject.path
}

export const findTopic = (topics: readonly Topic[], path: string): Topic | undefined =>
  topics.find(topic => topic.subjects.some(subject => subject.path === path))

const ALIASES: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'notEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  arrayNotIncludes: 'arrayExcludes',
}

export const getOperationId = (id: string): string => ALIASES[id] ?? id

/** The text of any operator, also of one that doesn't fit the field. */
export function getOperationText(condition: Condition, subjects: readonly Subject[]): string {
  const id = getOperationId(condition.operation)
  const own = subjects.find(subject => subject.path === condition.field)?.operations ?? []
  const known = [...own, ...Object.values(OPERATIONS_BY_KIND).flat(), ...CHOSEN]
  const words = known.find(each => each.id === id)?.words
  return words ? i18n._(words) : id
}

/** A default value for the operation. */
export function createFirstValue(operation: Operation, subject: Subject): Json | undefined {
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

export function createCondition(subject: Subject, operation: Operation): Condition {
  const value = createFirstValue(operation, subject)
  return { field: subject.path, operation: operation.id, ...(value !== undefined && { value }) }
}

/** A condition about the first field outside of the target. */
export function createFirstCondition(document: EditorDocument, target: string): Condition {
  const subjects = getSubjects(document)
  const group = getGroups(document.layout).find(each => each.id === target)
  const own = new Set([target, ...getFieldIds(group?.children ?? [])])
  const subject = subjects.find(each => !own.has(parsePath(each.path)?.field ?? '')) ?? subjects[0]
  const operation = subject?.operations[0]
  if (subject === undefined || operation === undefined) return { field: '', operation: 'equal', value: '' }
  return createCondition(subject, operation)
}

export const createRule = (document: EditorDocument, target: string): Rule => ({
  target,
  effect: 'show',
  when: { all: [createFirstCondition(document, target)] },
})

export const isCondition = (when: When): when is Condition => 'operation' in when
