import { describe, expect, it } from 'vitest'
import { csv, formatCell } from './table'

const table = (...rows: (string | number | null)[][]) => ({ columns: [{ label: 'a' }, { label: 'b' }], rows })

describe('csv', () => {
  it('has a line for the names and for each row', () => {
    expect(csv(table(['x', 1.5], ['y', null]))).toBe('a,b\r\nx,1.5\r\ny,\r\n')
  })

  it('names units, and rounds what nobody reads', () => {
    const columns = [{ label: 'a' }, { label: 'b', unit: 'seconds', show: String }]
    expect(csv({ columns, rows: [['x', 1 / 3]] })).toBe('a,b (seconds)\r\nx,0.3333\r\n')
  })

  it('quotes what would break a line apart', () => {
    expect(csv(table(['a "b", c\nd', 0]))).toBe('a,b\r\n"a ""b"", c\nd",0\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@x', '\tx', '＝1', "'=1"])('never lets %j be run', name => {
    expect(csv(table([name, 0])).split('\r\n')[1]).toMatch(/^'/)
  })

  it('leaves numbers numbers', () => expect(csv(table(['x', -5]))).toContain('x,-5'))
})

it('writes cells as their column wants them', () => {
  expect(formatCell(0.5, { label: 'rate', show: value => `${value * 100}%` })).toBe('50%')
  expect(formatCell(12_345, { label: 'count' })).toBe('12,345')
  expect(formatCell(null, { label: 'count' })).toBe('–')
  expect(formatCell('=x', undefined)).toBe('=x')
})
