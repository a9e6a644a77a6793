import { useMemo } from 'react'
import { Badge, type Tone } from '@/components/status'
import type { Json } from '@/form'
import { type Difference, deed, differences } from '../document/merge'
import type { EditorDocument } from '../document/types'

const TONES: Readonly<Record<string, Tone>> = { added: 'good', removed: 'bad', changed: 'warn' }

/** What is different between two definitions, part by part. */
export function DifferenceList({ before, after }: { before: EditorDocument; after: EditorDocument }) {
  const found = useMemo(() => differences(before, after, before), [before, after])
  if (found.length === 0) return <p className="text-muted">Nothing is different.</p>
  return (
    <ul className="flex flex-col gap-2">
      {found.map(each => (
        <li key={each.id} className="rounded-md border border-line px-3 py-2">
          <p className="flex items-center gap-2">
            <Badge tone={TONES[deed(each, 'mine')]}>{deed(each, 'mine')}</Badge>
            <span className="font-medium">{each.label}</span>
          </p>
          {deed(each, 'mine') === 'changed' && <Details difference={each} />}
        </li>
      ))}
    </ul>
  )
}

function Details({ difference }: { difference: Difference }) {
  const members = changedMembers(difference.base, difference.mine)
  if (members.length === 0) return null
  return (
    <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-sm max-sm:grid-cols-1">
      {members.map(({ name, from, to }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <del className="text-bad">{short(from)}</del>{' '}
            <ins className="text-good no-underline">{short(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Of two objects the members that differ; of anything else the whole. */
export function changedMembers(from: Json | undefined, to: Json | undefined) {
  const isObject = (value: Json | undefined): value is { [name: string]: Json } =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(from) || !isObject(to)) return Array.isArray(from) ? [] : [{ name: 'value', from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names
    .filter(name => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map(name => ({ name, from: from[name], to: to[name] }))
}

export function short(value: Json | undefined): string {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
