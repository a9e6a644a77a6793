/** Conditions without code: the operators of each field, and which values fit. */

import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { parsePath } from '@/form/operators'
import type { Condition, Json, Option, Rule, When } from '@/form/types'
import { i18n } from '@/lib/i18n'
import { FIELD_TYPES, type ValueKind, valueKind } from '../document/field-types'
import { fieldIdsIn, groupsIn } from '../document/tree'
import type { EditorDocument, EditorField } from '../document/types'

/** Which control fits the value of a condition. */
export type Asked = 'none' | 'text' | 'number' | 'date' | 'datetime' | 'option'

/** Its text goes between a field and a value: `Amount is at least 5`. */
export type Operation = { id: string; words: MessageDescriptor; takes: Asked }

const op = (id: string, words: MessageDescriptor, takes: Asked): Operation => ({ id, words, takes })

const SAME = (takes: Asked) => [
  op('equal', msg({ message: 'is', context: 'condition' }), takes),
  op('notEqual', msg({ message: 'is not', context: 'condition' }), takes),
]
const ORDER = (takes: Asked, words: Record<'atLeast' | 'over' | 'atMost' | 'under', MessageDescriptor>) => [
  op('greaterThanOrEqual', words.atLeast, takes),
  op('greaterThan', words.over, takes),
  op('lessThanOrEqual', words.atMost, takes),
  op('lessThan', words.under, takes),
]
const AMOUNTS = {
  atLeast: msg({ message: 'is at least', context: 'condition' }),
  over: msg({ message: 'is greater than', context: 'condition' }),
  atMost: msg({ message: 'is at most', context: 'condition' }),
  under: msg({ message: 'is less than', context: 'condition' }),
}
const TIMES = {
  atLeast: msg({ message: 'is on or after', context: 'condition' }),
  over: msg({ message: 'is after', context: 'condition' }),
  atMost: msg({ message: 'is on or before', context: 'condition' }),
  under: msg({ message: 'is before', context: 'condition' }),
}

const BY_KIND: Readonly<Record<ValueKind, readonly Operation[]>> = {
  text: [
    ...SAME('text'),
    op('contains', msg({ message: 'contains', context: 'condition' }), 'text'),
    op('startsWith', msg({ message: 'starts with', context: 'condition' }), 'text'),
    op('endsWith', msg({ message: 'ends with', context: 'condition' }), 'text'),
  ],
  number: [...ORDER('number', AMOUNTS), ...SAME('number')],
  boolean: [
    op('isTrue', msg({ message: 'is yes', context: 'condition' }), 'none'),
    op('isFalse', msg({ message: 'is no', context: 'condition' }), 'none'),
  ],
  date: [...ORDER('date', TIMES), ...SAME('date')],
  datetime: [...ORDER('datetime', TIMES), ...SAME('datetime')],
  choice: SAME('option'),
  choices: [
    op('arrayIsNotEmpty', msg({ message: 'has a selection', context: 'condition' }), 'none'),
    op('arrayIsEmpty', msg({ message: 'has no selection', context: 'condition' }), 'none'),
  ],
  items: [
    op('arrayIsNotEmpty', msg({ message: 'has items', context: 'condition' }), 'none'),
    op('arrayIsEmpty', msg({ message: 'has no items', context: 'condition' }), 'none'),
  ],
  json: SAME('text'),
  none: [],
}

const EDITED = [
  op('isTrue', msg({ message: 'was edited', context: 'condition' }), 'none'),
  op('isFalse', msg({ message: "wasn't edited", context: 'condition' }), 'none'),
]
const CHOSEN = [
  op('arrayIncludes', msg({ message: 'includes', context: 'condition' }), 'option'),
  op('arrayExcludes', msg({ message: "doesn't include", context: 'condition' }), 'option'),
]

/** What a condition can be about. */
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
        label: t`${{ list: label }}: any ${{ field: child.label || child.id }}`,
        operations: BY_KIND[kind],
        options: optionsOf(child),
      },
    ]
  })
}

/** What the member picks first: a field, or something inside it; the operation then decides the rest of the path. */
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

/** A field, its selected options and whether it was edited are one topic; a child of a list is a topic of its own. */
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

/** The text of any operator, also of one that doesn't fit the field. */
export function getOperationText(condition: Condition, subjects: readonly Subject[]): string {
  const id = operationId(condition.operation)
  const own = subjects.find(subject => subject.path === condition.field)?.operations ?? []
  const known = [...own, ...Object.values(BY_KIND).flat(), ...CHOSEN]
  const words = known.find(each => each.id === id)?.words
  return words ? i18n._(words) : id
}

/** A default value for the operation. */
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

/** A condition about the first field outside of the target. */
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
