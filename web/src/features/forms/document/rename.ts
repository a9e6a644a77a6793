/** Renames a field or group ID everywhere it's used. */

import { parsePath } from '@/form/operators'
import type { Rule, When } from '@/form/types'
import { mapContainers } from './tree'
import type { EditorDocument } from './types'

export function renameField(document: EditorDocument, from: string, to: string): EditorDocument {
  if (from === to) return document
  return {
    ...document,
    fields: document.fields.map(field => (field.id === from ? { ...field, id: to } : field)),
    layout: mapContainers(document.layout, children =>
      children.map(child =>
        child.kind === 'field' && child.field === from ? { ...child, field: to } : child,
      ),
    ),
    rules: document.rules.map(rule => ({
      ...renameTarget(rule, from, to),
      when: renameInCondition(rule.when, from, to),
    })),
    titleField: document.titleField === from ? to : document.titleField,
  }
}

export function renameGroup(document: EditorDocument, from: string, to: string): EditorDocument {
  if (from === to) return document
  return {
    ...document,
    layout: mapContainers(document.layout, children =>
      children.map(child => (child.kind === 'group' && child.id === from ? { ...child, id: to } : child)),
    ),
    rules: document.rules.map(rule => renameTarget(rule, from, to)),
  }
}

const renameTarget = (rule: Rule, from: string, to: string): Rule =>
  rule.target === from ? { ...rule, target: to } : rule

/** The field that a condition reads: the text before the first dot, even if the rest can't be parsed. */
export const getPathField = (path: string): string => parsePath(path)?.field ?? path.split('.')[0] ?? ''

function renameInCondition(when: When, from: string, to: string): When {
  if ('all' in when) return { all: when.all.map(part => renameInCondition(part, from, to)) }
  if ('any' in when) return { any: when.any.map(part => renameInCondition(part, from, to)) }
  if ('not' in when) return { not: renameInCondition(when.not, from, to) }
  if (getPathField(when.field) !== from) return when
  return { ...when, field: to + when.field.slice(from.length) }
}

/** The fields that a condition reads. */
export function getReadFields(when: When): string[] {
  if ('all' in when) return when.all.flatMap(getReadFields)
  if ('any' in when) return when.any.flatMap(getReadFields)
  if ('not' in when) return getReadFields(when.not)
  return [getPathField(when.field)]
}
