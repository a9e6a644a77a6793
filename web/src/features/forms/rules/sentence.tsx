import type { Condition, Json, Rule, When } from '@/form/types'
import { groupsIn } from '../document/tree'
import type { EditorDocument } from '../document/types'
import { operationWords, type Subject, subjectsOf } from './operations'

/** A piece of a sentence; what is named in the review type stands out. */
export type Piece = string | { name: string; isGone?: boolean }

export function targetName(document: EditorDocument, target: string): { name: string; isGone?: boolean } {
  const field = document.fields.find(each => each.id === target)
  if (field) return { name: field.label || field.id }
  const group = groupsIn(document.layout).find(each => each.id === target)
  return group ? { name: group.label || group.id } : { name: target, isGone: true }
}

/** A rule as people would say it: “Show Publishing when Score is at least 5”. */
export function sentenceOf(rule: Rule, document: EditorDocument): Piece[] {
  const subjects = subjectsOf(document)
  return [
    rule.effect === 'show' ? 'Show ' : 'Hide ',
    targetName(document, rule.target),
    ' when ',
    ...clause(rule.when, subjects, document, false),
  ]
}

function clause(
  when: When,
  subjects: readonly Subject[],
  document: EditorDocument,
  isInner: boolean,
): Piece[] {
  if ('not' in when) return ['it is not so that ', ...clause(when.not, subjects, document, true)]
  const parts = 'all' in when ? when.all : 'any' in when ? when.any : null
  if (parts === null) return condition(when as Condition, subjects, document)
  const word = 'all' in when ? ' and ' : ' or '
  const inner = parts.flatMap((part, index) => [
    ...(index > 0 ? [word] : []),
    ...clause(part, subjects, document, true),
  ])
  return isInner && parts.length > 1 ? ['(', ...inner, ')'] : inner
}

function condition(when: Condition, subjects: readonly Subject[], document: EditorDocument): Piece[] {
  const subject = subjects.find(each => each.path === when.field)
  const named: Piece = subject
    ? { name: subject.label }
    : { ...targetName(document, when.field.split('.')[0] ?? '') }
  const words = operationWords(when, subjects)
  if (when.value === undefined || when.value === null) return [named, ` ${words}`]
  return [named, ` ${words} `, valueWords(when.value, subject)]
}

function valueWords(value: Json, subject: Subject | undefined): string {
  const option = subject?.options.find(each => each.id === value)
  if (option) return `“${option.label}”`
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value)
}

export const sentenceText = (rule: Rule, document: EditorDocument): string =>
  sentenceOf(rule, document)
    .map(piece => (typeof piece === 'string' ? piece : piece.name))
    .join('')

export function RuleSentence({ rule, document }: { rule: Rule; document: EditorDocument }) {
  return sentenceOf(rule, document).map((piece, index) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is made anew as a whole
      <em key={index} className={piece.isGone ? 'text-bad line-through' : 'font-medium'}>
        {piece.name}
      </em>
    ),
  )
}
