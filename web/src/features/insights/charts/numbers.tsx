import { t } from '@lingui/core/macro'
import { CopyButton } from '@/components/copy-button'
import { Table } from '@/components/table'
import { type Table as ChartTable, csv, formatCell } from '../table'

/** A chart's numbers in a scrolling table. */
export function Numbers({ table, title }: { table: ChartTable; title: string }) {
  const { columns, rows } = table
  const numeric = columns.map((_, place) => rows.some(row => typeof row[place] === 'number'))
  return (
    <>
      <Table
        label={t`${title}: table`}
        boxed
        columns={columns.map(({ label }, place) => ({
          label,
          ...(numeric[place] && { className: 'text-end' }),
        }))}
      >
        {rows.map((row, line) => (
          // Rows have no other identity than their position, and are never reordered while shown.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          <tr key={line}>
            {row.map((cell, place) => {
              const column = columns[place]
              const text = formatCell(cell, column)
              return place === 0 ? (
                <th key={column?.label} scope="row">
                  {text}
                </th>
              ) : (
                <td key={column?.label} className={numeric[place] ? 'whitespace-nowrap text-end' : undefined}>
                  {text}
                </td>
              )
            })}
          </tr>
        ))}
      </Table>
      <div className="mt-2">
        <CopyButton text={csv(table)} label={t`Copy as CSV`} />
      </div>
    </>
  )
}
