/** The service's errors and warnings about a definition, and where they are in the editor. */

import type { ErrorDetail } from '@/api/client'
import type { Changes, Check } from '@/api/forms/types'
import { toSentence } from '@/lib/i18n'
import { findFieldNode } from '../document/tree'
import type { EditorDocument, EditorNode, WrittenForm } from '../document/types'

export type IssuePlace =
  | { kind: 'node'; key: string; member: string }
  | { kind: 'rule'; index: number }
  | { kind: 'translation'; language: string | undefined; path: string }
  | { kind: 'member'; member: string }

export type Issue = {
  severity: 'error' | 'warning'
  path: string
  message: string
  place: IssuePlace
}

export type Checked = {
  issues: readonly Issue[]
  errors: number
  warnings: number
  changes: Changes | null
  isChecking: boolean
  /** Set when the check failed: checks again. */
  retry: (() => void) | null
}

export const NOT_CHECKED: Checked = {
  issues: [],
  errors: 0,
  warnings: 0,
  changes: null,
  isChecking: false,
  retry: null,
}

export function getIssues(check: Check, written: WrittenForm, document: EditorDocument): Issue[] {
  const read =
    (severity: Issue['severity']) =>
    ({ path, message }: ErrorDetail): Issue => ({
      severity,
      path,
      message: toSentence(message),
      place: getPlace(path, written, document),
    })
  return [...check.errors.map(read('error')), ...check.warnings.map(read('warning'))]
}

export function getPlace(path: string, written: WrittenForm, document: EditorDocument): IssuePlace {
  const bare = path.replace(/^form\./, '')
  const [, list, number, rest = ''] = /^(fields|rules)\[(\d+)\]\.?(.*)$/.exec(bare) ?? []
  if (list === 'rules') return { kind: 'rule', index: Number(number) }
  if (list === 'fields') {
    const field = written.fields[Number(number)]
    const node = field && findFieldNode(document.layout, field.id)
    if (node) return { kind: 'node', key: node.key, member: rest }
  }
  if (bare.startsWith('layout')) {
    const node = findNode(document.layout, bare.slice('layout'.length))
    if (node !== null) return { kind: 'node', key: node.key, member: '' }
  }
  if (bare.split('.')[0] === 'translations')
    return { kind: 'translation', language: bare.split('.')[1], path: bare }
  return { kind: 'member', member: bare.split(/[.[]/)[0] ?? bare }
}

/** The innermost entry that a path leads into. */
function findNode(layout: readonly EditorNode[], path: string): EditorNode | null {
  let found: EditorNode | null = null
  let here: unknown = layout
  for (const [step] of path.matchAll(/[A-Za-z]+|\d+/g)) {
    if (typeof here !== 'object' || here === null) break
    here = (here as Record<string, unknown>)[step]
    if (typeof here === 'object' && here !== null && 'kind' in here) found = here as EditorNode
  }
  return found
}

export const getNodeIssues = (issues: readonly Issue[], key: string): Issue[] =>
  issues.filter(issue => issue.place.kind === 'node' && issue.place.key === key)

export const getRuleIssues = (issues: readonly Issue[], index: number): Issue[] =>
  issues.filter(issue => issue.place.kind === 'rule' && issue.place.index === index)

/** The error of a form member, as a sentence. */
export function getPropertyError(issues: readonly Issue[], member: string): string | null {
  const found = issues.filter(
    issue => issue.severity === 'error' && issue.place.kind === 'member' && issue.place.member === member,
  )
  return found.length > 0 ? found.map(issue => issue.message).join(' ') : null
}

/** The error of a field's member, as a sentence; `deep`: also errors inside that member. */
export function getNodeError(
  issues: readonly Issue[],
  key: string,
  member: string,
  deep = true,
): string | null {
  const found = getNodeIssues(issues, key).filter(issue => {
    const at = issue.place.kind === 'node' ? issue.place.member : ''
    return (
      issue.severity === 'error' &&
      (at === member || (deep && (at.startsWith(`${member}.`) || at.startsWith(`${member}[`))))
    )
  })
  return found.length > 0 ? found.map(issue => issue.message).join(' ') : null
}
