/** A chart's numbers: what its table shows, and what is copied. */

import { formatNumber } from '@/lib/i18n'

export type Cell = string | number | null

export type Column = {
  label: string
  /** The unit of copied numbers, if the table formats them as text. */
  unit?: string
  /** How the table formats a number; the copy has the plain number. */
  show?: (value: number) => string
}

export type Table = { columns: readonly Column[]; rows: readonly (readonly Cell[])[] }

/** A text that a spreadsheet would run as a formula, also after apostrophes, and in full-width characters. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

function escapeField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(Math.round(cell * 10_000) / 10_000)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** CSV by RFC 4180, escaping text that a spreadsheet would run as a formula: agents choose names. */
export const csv = ({ columns, rows }: Table): string =>
  [columns.map(({ label, unit }) => (unit ? `${label} (${unit})` : label)), ...rows]
    .map(row => `${row.map(escapeField).join(',')}\r\n`)
    .join('')

export function formatCell(cell: Cell, column: Column | undefined): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  return column?.show ? column.show(cell) : formatNumber(cell)
}
