import type { Json, JsonObject } from './types'

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An own member; `constructor` and the like aren't inherited. */
export const getMember = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Equality of JSON: `1` equals `1.0`, `true` doesn't equal `1`, members have no order. */
export function isSameJson(left: Json, right: Json): boolean {
  const pending: [Json, Json][] = [[left, right]]
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false
      for (const [index, element] of a.entries()) pending.push([element, b[index] as Json])
    } else if (isObject(a)) {
      if (!isObject(b)) return false
      const names = Object.keys(a)
      if (names.length !== Object.keys(b).length) return false
      for (const name of names) {
        if (!Object.hasOwn(b, name)) return false
        pending.push([a[name] as Json, b[name] as Json])
      }
    } else return false
  }
  return true
}

/** Whether arrays and objects nest deeper than `limit` inside `value`. */
export function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value]
  for (let depth = 0; depth <= limit; depth += 1) {
    const below = level.flatMap(getElements)
    if (below.length === 0) return false
    level = below
  }
  return level.some(item => typeof item === 'object' && item !== null)
}

function getElements(value: Json): Json[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

/** A text that two values share exactly when they are the same JSON. */
export function toCanonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (!isObject(value)) return JSON.stringify(value === 0 ? 0 : value)
  const members = Object.keys(value).sort()
  return `{${members.map(name => `${JSON.stringify(name)}:${toCanonicalJson(value[name] as Json)}`).join()}}`
}
