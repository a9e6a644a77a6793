import { describe, expect, it } from 'vitest'
import { formatBytes, formatShare } from './format'

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [10_000_000_000, '10.0 GB'],
    [123_456_789, '123 MB'],
    [5e15, '5,000 TB'],
  ])('%d is %s', (amount, text) => {
    expect(formatBytes(amount)).toBe(text)
  })
})

describe('share', () => {
  it.each([
    [0, 100, 0],
    [50, 100, 50],
    [1, 100_000, 1],
    [300, 100, 100],
    [5, 0, 0],
  ])('%d of %d is %d percent', (used, whole, percent) => {
    expect(formatShare(used, whole)).toBe(percent)
  })
})
