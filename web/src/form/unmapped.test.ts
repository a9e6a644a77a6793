import { describe, expect, it } from 'vitest'
import { filterSentBack, formatCount, formatUnmappedPath, formatUnmappedValue } from './unmapped'

describe('unmapped values', () => {
  it('names where a value is', () => {
    expect(formatUnmappedPath(['amount'])).toBe('amount')
    expect(formatUnmappedPath(['rows', 0, 'sku'])).toBe('rows › 1 › sku')
    expect(formatUnmappedPath(['a.b', ''])).toBe('a.b › ""')
    expect(formatUnmappedPath(['x'.repeat(1_000_000)]).length).toBeLessThan(300)
    expect(formatUnmappedPath(['__proto__', 'constructor'])).toBe('__proto__ › constructor')
  })

  it('counts them', () => {
    expect(formatCount(1)).toBe('1 value')
    expect(formatCount(0)).toBe('0 values')
    expect(formatCount(12_000)).toBe('12,000 values')
  })

  it('leaves out what goes with a hidden field', () => {
    const unmapped = [
      { path: ['x'], value: 1 },
      { path: ['rows', 0, 'sku'], value: 2, fieldId: 'rows' },
      { path: ['names', 0, 'own'], value: 3, fieldId: 'names' },
    ]
    expect(filterSentBack(unmapped, id => id === 'rows').map(each => each.value)).toEqual([1, 3])
    expect(filterSentBack([{ path: ['x'], value: 1, fieldId: null }], () => true)).toHaveLength(1)
  })

  it('writes any value', () => {
    expect(formatUnmappedValue('1')).toBe('1')
    expect(formatUnmappedValue(null)).toBe('null')
    expect(formatUnmappedValue({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
    let deep: unknown = 1
    for (let depth = 0; depth < 200; depth += 1) deep = [deep]
    expect(formatUnmappedValue(deep as never)).toContain('1')
  })
})
