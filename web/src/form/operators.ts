/**
 * The operators of filters and rules; `tests/vectors/operators.json` keeps them in line with the server's. A path that
 * finds nothing is missing, and so is one that finds null. Types are never converted.
 */

import { compareText } from './characters'
import { getMember, isObject } from './json'
import type { Condition, Json } from './types'

const PATH = /^([A-Za-z][A-Za-z0-9_-]{0,63})\.(?:(value|wasEdited)|value\[\]\.([A-Za-z0-9_$-]{1,64}))$/

export type Path = { field: string; member: 'value' | 'wasEdited'; property: string | null }

export function parsePath(text: string): Path | null {
  const match = PATH.exec(text)
  if (!match?.[1]) return null
  return {
    field: match[1],
    member: match[2] === 'wasEdited' ? 'wasEdited' : 'value',
    property: match[3] ?? null,
  }
}

type Test = (actual: Json, expected: Json) => boolean

function isEqual(actual: Json, expected: Json): boolean {
  return ['string', 'number', 'boolean'].includes(typeof actual) && actual === expected
}

const testIncludes: Test = (actual, expected) =>
  Array.isArray(actual) && actual.some(element => isEqual(element, expected))

const compareWith =
  (test: (difference: number) => boolean): Test =>
  (actual, expected) => {
    if (typeof actual === 'string') return typeof expected === 'string' && test(compareText(actual, expected))
    return (
      typeof actual === 'number' &&
      typeof expected === 'number' &&
      test(actual < expected ? -1 : actual > expected ? 1 : 0)
    )
  }

const testTexts =
  (test: (actual: string, expected: string) => boolean): Test =>
  (actual, expected) =>
    typeof actual === 'string' && typeof expected === 'string' && test(actual, expected)

const TESTS: Record<string, Test> = {
  equal: isEqual,
  notEqual: (actual, expected) => !isEqual(actual, expected),
  greaterThan: compareWith(difference => difference > 0),
  greaterThanOrEqual: compareWith(difference => difference >= 0),
  lessThan: compareWith(difference => difference < 0),
  lessThanOrEqual: compareWith(difference => difference <= 0),
  contains: testTexts((actual, expected) => actual.includes(expected)),
  startsWith: testTexts((actual, expected) => actual.startsWith(expected)),
  endsWith: testTexts((actual, expected) => actual.endsWith(expected)),
  isTrue: actual => actual === true,
  isFalse: actual => actual === false,
  arrayIncludes: testIncludes,
  arrayExcludes: (actual, expected) => !testIncludes(actual, expected),
  arrayIsEmpty: actual => actual === null || (Array.isArray(actual) && actual.length === 0),
  arrayIsNotEmpty: actual => Array.isArray(actual) && actual.length > 0,
}

const ALIASES: Record<string, string> = {
  '==': 'equal',
  '!=': 'notEqual',
  '>': 'greaterThan',
  '>=': 'greaterThanOrEqual',
  '<': 'lessThan',
  '<=': 'lessThanOrEqual',
  arrayNotIncludes: 'arrayExcludes',
}

/** Whether the condition holds on a `responseValues` map. A malformed one never holds. */
export function isMet(condition: Condition, responseValues: Json): boolean {
  const path = parsePath(condition.field)
  const operation = Object.hasOwn(ALIASES, condition.operation)
    ? (ALIASES[condition.operation] as string)
    : condition.operation
  const test = Object.hasOwn(TESTS, operation) ? TESTS[operation] : undefined
  if (path === null || test === undefined) return false
  const expected = condition.value ?? null
  const actual = resolvePath(path, responseValues)
  if (path.property === null || operation.startsWith('array')) return test(actual, expected)
  if (!Array.isArray(actual) || actual.length === 0) return test(null, expected)
  return actual.some(element => test(element, expected))
}

/** The value at the path; null stands for missing. */
function resolvePath(path: Path, responseValues: Json): Json {
  const entry = isObject(responseValues) ? getMember(responseValues, path.field) : undefined
  if (!isObject(entry)) return null
  const found = getMember(entry, path.member) ?? null
  const property = path.property
  if (property === null) return found
  if (!Array.isArray(found)) return null
  return found
    .flatMap(element => (isObject(element) ? [getMember(element, property) ?? null] : []))
    .filter(each => each !== null)
}
