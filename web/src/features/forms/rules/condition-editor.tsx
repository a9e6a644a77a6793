import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '@/components/button'
import { NativeSelect } from '@/components/input'
import type { Condition, When } from '@/form/types'
import { i18n } from '@/lib/i18n'
import type { EditorDocument } from '../document/types'
import {
  createCondition,
  findTopic,
  getOperationId,
  getOperationText,
  getTopics,
  isCondition,
  type Subject,
} from './operations'
import { ValueInput } from './value-input'

const MAX_DEPTH = 8

type Props = {
  when: When
  document: EditorDocument
  /** Creates a condition to start with. */
  fresh: () => Condition
  depth: number
  onChange: (when: When, about?: string) => void
  /** Absent if it's the only condition. */
  onRemove?: () => void
}

/** A condition, or a nested group of conditions. */
export function ConditionEditor(props: Props) {
  const { when, fresh, depth, onChange, onRemove } = props
  if (isCondition(when)) {
    if (depth === 1)
      return (
        <Joined {...props} kind="all" parts={[when]} onParts={(kind, parts) => onChange(join(kind, parts))} />
      )
    return <Single {...props} when={when} />
  }
  if ('not' in when) {
    const inner = when.not
    // Shown as one group: "not any of …" and "not all of …".
    if (!isCondition(inner) && !('not' in inner)) {
      const parts = 'all' in inner ? inner.all : inner.any
      return (
        <Joined
          {...props}
          kind={'all' in inner ? 'notAll' : 'notAny'}
          parts={parts}
          onParts={(kind, next) => onChange(join(kind, next))}
        />
      )
    }
    return (
      <Joined {...props} kind="notAny" parts={[inner]} onParts={(kind, next) => onChange(join(kind, next))} />
    )
  }
  const parts = 'all' in when ? when.all : when.any
  return (
    <Joined
      when={when}
      document={props.document}
      fresh={fresh}
      depth={depth}
      onChange={onChange}
      onRemove={onRemove}
      kind={'all' in when ? 'all' : 'any'}
      parts={parts}
      onParts={(kind, next) => onChange(join(kind, next))}
    />
  )
}

type Kind = 'all' | 'any' | 'notAll' | 'notAny'

const KINDS: readonly { id: Kind; words: MessageDescriptor }[] = [
  { id: 'all', words: msg`all of these are true` },
  { id: 'any', words: msg`any of these are true` },
  { id: 'notAll', words: msg`not all of these are true` },
  { id: 'notAny', words: msg`none of these are true` },
]

function join(kind: Kind, parts: When[]): When {
  if (kind === 'all') return { all: parts }
  if (kind === 'any') return { any: parts }
  return { not: kind === 'notAll' ? { all: parts } : { any: parts } }
}

function Joined({
  document,
  fresh,
  depth,
  onChange,
  onRemove,
  kind,
  parts,
  onParts,
}: Props & { kind: Kind; parts: readonly When[]; onParts: (kind: Kind, parts: When[]) => void }) {
  const replace = (index: number, next: When, about?: string) =>
    onChange(
      join(
        kind,
        parts.map((part, at) => (at === index ? next : part)),
      ),
      about && `${index} ${about}`,
    )
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-line border-s-2 ps-3">
      <legend className="sr-only">{t`Conditions`}</legend>
      <div className="flex items-center gap-2">
        <NativeSelect
          aria-label={t({ message: 'Match', comment: 'How many of the conditions must be true' })}
          className="w-auto"
          value={kind}
          onChange={event => onParts(event.target.value as Kind, [...parts])}
        >
          {KINDS.map(each => (
            <option key={each.id} value={each.id}>
              {i18n._(each.words)}
            </option>
          ))}
        </NativeSelect>
        {onRemove && (
          <IconButton size="small" label={t`Remove condition group`} icon={<X />} onClick={onRemove} />
        )}
      </div>
      {parts.map((part, index) => (
        <ConditionEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other identity
          key={index}
          when={part}
          document={document}
          fresh={fresh}
          depth={depth + 1}
          onChange={(next, about) => replace(index, next, about)}
          onRemove={
            parts.length > 1
              ? () =>
                  onParts(
                    kind,
                    parts.filter((_, at) => at !== index),
                  )
              : undefined
          }
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button size="small" icon={<Plus />} onClick={() => onParts(kind, [...parts, fresh()])}>
          {t`Add condition`}
        </Button>
        {depth < MAX_DEPTH - 2 && (
          <Button
            size="small"
            kind="quiet"
            icon={<Plus />}
            onClick={() => onParts(kind, [...parts, { any: [fresh()] }])}
          >
            {t`Add condition group`}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

function Single({ when, document, onChange, onRemove }: Omit<Props, 'when'> & { when: Condition }) {
  const topics = getTopics(document)
  const topic = findTopic(topics, when.field)
  const subjects = topic?.subjects ?? []
  const subject = subjects.find(each => each.path === when.field)
  const chosen = subject?.operations.find(each => each.id === getOperationId(when.operation))
  const pick = (about: Subject | undefined, id?: string) => {
    const operation = about?.operations.find(each => each.id === id) ?? about?.operations[0]
    if (about === undefined || operation === undefined) return
    const next = createCondition(about, operation)
    // Keep the entered value if it still fits.
    const stays = chosen?.takes === operation.takes && about.path === when.field && when.value !== undefined
    onChange(stays ? { ...next, value: when.value as never } : next)
  }
  const field = when.field.split('.')[0]
  const missing = field ? t`${field} (deleted)` : t`Select`
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2">
      <NativeSelect
        aria-label={t`Field`}
        className="w-auto min-w-0 max-w-60"
        value={topic?.id ?? ''}
        onChange={event => pick(topics.find(each => each.id === event.target.value)?.subjects[0])}
      >
        {topic === undefined && <option value="">{missing}</option>}
        {topics.map(each => (
          <option key={each.id} value={each.id}>
            {each.label}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        aria-label={t`Operator`}
        className="w-auto min-w-0 max-w-60"
        value={chosen ? `${when.field} ${chosen.id}` : ''}
        onChange={event => {
          const [path, id] = event.target.value.split(' ')
          pick(
            subjects.find(each => each.path === path),
            id,
          )
        }}
      >
        {chosen === undefined && <option value="">{getOperationText(when, subjects)}</option>}
        {subjects.flatMap(each =>
          each.operations.map(operation => (
            <option key={`${each.path} ${operation.id}`} value={`${each.path} ${operation.id}`}>
              {i18n._(operation.words)}
            </option>
          )),
        )}
      </NativeSelect>
      {chosen && subject && chosen.takes !== 'none' && (
        <ValueInput
          takes={chosen.takes}
          options={subject.options}
          value={when.value}
          onChange={value => onChange({ ...when, value }, 'value')}
        />
      )}
      {onRemove && <IconButton size="small" label={t`Remove condition`} icon={<X />} onClick={onRemove} />}
    </div>
  )
}
