import { Trans } from '@lingui/react/macro'
import { Fragment, type ReactNode } from 'react'
import type { Condition, Json, Rule, When } from '@/form/types'
import { formatNumber, intl } from '@/lib/i18n'
import { getGroups } from '../document/tree'
import type { EditorDocument } from '../document/types'
import { getOperationText, getSubjects, type Subject } from './operations'

export type TargetName = { name: string; isGone?: boolean }

export function getTargetName(document: EditorDocument, target: string): TargetName {
  const field = document.fields.find(each => each.id === target)
  if (field) return { name: field.label || field.id }
  const group = getGroups(document.layout).find(each => each.id === target)
  return group ? { name: group.label || group.id } : { name: target, isGone: true }
}

/** A rule in a sentence: “Show Publishing when Score is at least 5.” */
export function RuleSentence({ rule, document }: { rule: Rule; document: EditorDocument }) {
  const target = <Named {...getTargetName(document, rule.target)} />
  const conditions = (
    <Clause when={rule.when} subjects={getSubjects(document)} document={document} isInner={false} />
  )
  return rule.effect === 'show' ? (
    <Trans>
      Show {target} when {conditions}.
    </Trans>
  ) : (
    <Trans>
      Hide {target} when {conditions}.
    </Trans>
  )
}

type ClauseProps = { subjects: readonly Subject[]; document: EditorDocument }

function Clause({ when, isInner, ...props }: ClauseProps & { when: When; isInner: boolean }): ReactNode {
  if ('not' in when) {
    // The message has the parentheses.
    const conditions = <Clause {...props} when={when.not} isInner={false} />
    return <Trans comment="A negated condition in a rule: not (Amount is 5)">not ({conditions})</Trans>
  }
  const parts = 'all' in when ? when.all : 'any' in when ? when.any : null
  if (parts === null) return <Single {...props} when={when as Condition} />
  const list = <List {...props} parts={parts} type={'all' in when ? 'conjunction' : 'disjunction'} />
  return isInner && parts.length > 1 ? <>({list})</> : list
}

/** Conditions joined as `Intl` writes lists. */
function List({
  parts,
  type,
  ...props
}: ClauseProps & { parts: readonly When[]; type: Intl.ListFormatType }) {
  return intl(Intl.ListFormat, { type })
    .formatToParts(parts.map((_, place) => String(place)))
    .map((part, place) => {
      const when = part.type === 'element' ? parts[Number(part.value)] : undefined
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is rendered as a whole
        <Fragment key={place}>{when ? <Clause {...props} when={when} isInner /> : part.value}</Fragment>
      )
    })
}

function Single({ when, subjects, document }: ClauseProps & { when: Condition }) {
  const subject = subjects.find(each => each.path === when.field)
  const field = (
    <Named
      {...(subject ? { name: subject.label } : getTargetName(document, when.field.split('.')[0] ?? ''))}
    />
  )
  const operator = getOperationText(when, subjects)
  if (when.value === undefined || when.value === null)
    return (
      <Trans comment="A condition in a rule: Tags has items">
        {field} {operator}
      </Trans>
    )
  const text = getValueText(when.value, subject)
  const value = <bdi>{text ?? getWrittenValue(when.value)}</bdi>
  return text === null ? (
    <Trans comment="A condition in a rule: Amount is at least 5">
      {field} {operator} {value}
    </Trans>
  ) : (
    <Trans comment="A condition in a rule: Status is “Paid”">
      {field} {operator} “{value}”
    </Trans>
  )
}

/** The text to put in quotes; null for numbers and the like. */
function getValueText(value: Json, subject: Subject | undefined): string | null {
  const option = subject?.options.find(each => each.id === value)
  if (option) return option.label
  return typeof value === 'string' ? value : null
}

const getWrittenValue = (value: Json): string =>
  typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 20 }) : JSON.stringify(value)

/** Highlights the name of something in the review type. */
function Named({ name, isGone }: TargetName) {
  return (
    <em dir="auto" className={isGone ? 'text-bad line-through' : 'font-medium'}>
      {name}
    </em>
  )
}
