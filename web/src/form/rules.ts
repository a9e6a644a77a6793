/**
 * Rules show or hide fields and groups depending on the entered values; `tests/vectors/rules.json` keeps this in line
 * with the server, which has the final say.
 *
 * A field or group is visible exactly when no `hide` rule on it holds, some `show` rule on it holds (or there is none),
 * and the group around it is visible. A condition that reads a hidden field finds it missing.
 */

import { groupIds, parentGroups } from './layout-tree'
import { holds, parsePath } from './operators'
import type { FormDefinition, Json, JsonObject, Rule, When } from './types'

type Ruled = Pick<FormDefinition, 'layout'> & { fields: readonly { id: string }[]; rules?: readonly Rule[] }

/** The IDs of all fields and groups that rules hide for these values. */
export function hiddenTargets(
  form: Ruled,
  responseValues: Readonly<Record<string, unknown>>,
): ReadonlySet<string> {
  const rules = form.rules ?? []
  if (rules.length === 0) return new Set()
  const parents = parentGroups(form.layout)
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
    for (const rule of own) for (const field of fieldsRead(rule.when)) isHidden(field)
    const shows = own.filter(rule => rule.effect === 'show')
    if (shows.length > 0 && !shows.some(rule => whenHolds(rule.when, values))) return true
    return own.some(rule => rule.effect === 'hide' && whenHolds(rule.when, values))
  }
  return new Set([...groupIds(form.layout), ...form.fields.map(field => field.id)].filter(isHidden))
}

function whenHolds(when: When, responseValues: Json): boolean {
  if ('all' in when) return when.all.every(part => whenHolds(part, responseValues))
  if ('any' in when) return when.any.some(part => whenHolds(part, responseValues))
  if ('not' in when) return !whenHolds(when.not, responseValues)
  return holds(when, responseValues)
}

function fieldsRead(when: When): string[] {
  if ('all' in when) return when.all.flatMap(fieldsRead)
  if ('any' in when) return when.any.flatMap(fieldsRead)
  if ('not' in when) return fieldsRead(when.not)
  const path = parsePath(when.field)
  return path === null ? [] : [path.field]
}
