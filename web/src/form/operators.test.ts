import { describe, expect, it } from 'vitest'
import { isMet, parsePath } from './operators'
import type { Condition, Json } from './types'
import { readVectors } from './vectors'

const vectors = readVectors('operators') as {
  responseValues: Json
  vectors: { condition: Condition; holds: boolean }[]
}

describe('operators', () => {
  it.each(vectors.vectors.map(vector => [JSON.stringify(vector.condition), vector] as const))(
    '%s',
    (_, vector) => {
      expect(isMet(vector.condition, vectors.responseValues)).toBe(vector.holds)
    },
  )

  it.each([null, 7, 'x', [], { title: 7 }, { title: { value: { toString: 1 } } }] as Json[])(
    'never throw, whatever they look into: %j',
    anything => {
      for (const { condition } of vectors.vectors) expect(typeof isMet(condition, anything)).toBe('boolean')
    },
  )

  it('do not hold when nobody knows them', () => {
    expect(isMet({ field: 'title.value', operation: 'toString' }, vectors.responseValues)).toBe(false)
    expect(isMet({ field: 'title', operation: 'equal', value: 'x' }, vectors.responseValues)).toBe(false)
  })

  it('find no members that an object merely inherits', () => {
    expect(isMet({ field: 'constructor.value', operation: 'notEqual', value: 'x' }, {})).toBe(true)
    expect(parsePath('rows.value[].__proto__')?.property).toBe('__proto__')
  })
})
