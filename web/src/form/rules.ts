/**
 * Rules show or hide fields and groups depending on the entered values; `tests/vectors/rules.json` keeps this in line
 * with the server, which has the final say.
 *
 * A field or group is visible exactly when no `hide` rule on it holds, some `show` rule on it holds (or there is none),
 * and the group around it is visible. A condition that reads a hidden field finds it missing.
 */

import { getGroupIds, getParentGroups } from './layout-tree'
import { isMet, parsePath } from './operators'
import type { FormDefinition, Json, JsonObject, Rule, When } from './types'

type FormWithRules = Pick<FormDefinition, 'layout'> & {
  fields: readonly { id: string }[]
  rules?: readonly Rule[]
}

/** The IDs of all fields and groups that rules hide for these values. */
export function findHiddenTargets(
  form: FormWithRules,
  responseValues: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const rules = form.rules ?? []
  if (rules.length === 0) return new Set()
  const parents = getParentGroups(form.layout)
  const settled = new Map<string, boolean>()
  const values: JsonObject = { ...(responseValues as JsonObject) }

  // The server refuses cyclic rules, so that what a condition depends on can be settled first.
  const isHidden = (target: string): boolean => {
    const known = settled.get(target)
    if (known !== undefined) return known
    settled.set(target, false)
    const hidden = decide(target)
    settled.set(target, hidden)
    if (hidden) delete values[target]
    return hidden
  }
  const decide = (target: string): boolean => {
    const parent = parents.get(target)
    if (parent !== undefined && isHidden(parent)) return true
    const own = rules.filter(rule => rule.target === target)
    for (const rule of own) for (const field of getReadFields(rule.when)) isHidden(field)
    const shows = own.filter(rule => rule.effect === 'show')
    if (shows.length > 0 && !shows.some(rule => isWhenMet(rule.when, values))) return true
    return own.some(rule => rule.effect === 'hide' && isWhenMet(rule.when, values))
  }
  return new Set([...getGroupIds(form.layout), ...form.fields.map(field => field.id)].filter(isHidden))
}

function isWhenMet(when: When, responseValues: Json): boolean {
  if ('all' in when) return when.all.every(part => isWhenMet(part, responseValues))
  if ('any' in when) return when.any.some(part => isWhenMet(part, responseValues))
  if ('not' in when) return !isWhenMet(when.not, responseValues)
  return isMet(when, responseValues)
}

function getReadFields(when: When): string[] {
  if ('all' in when) return when.all.flatMap(getReadFields)
  if ('any' in when) return when.any.flatMap(getReadFields)
  if ('not' in when) return getReadFields(when.not)
  const path = parsePath(when.field)
  return path === null ? [] : [path.field]
}
