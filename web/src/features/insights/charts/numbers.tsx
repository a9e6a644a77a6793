import { t } from '@lingui/core/macro'
import { CopyButton } from '@/components/copy-button'
import { classes } from '@/lib/classes'
import { csv, formatCell, type Table } from '../table'

/** A chart's numbers in a scrolling table. */
export function Numbers({ table, title }: { table: Table; title: string }) {
  const { columns, rows } = table
  const numeric = columns.map((_, place) => rows.some(row => typeof row[place] === 'number'))
  return (
    <>
      <section
        aria-label={t`${title}: table`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
        tabIndex={0}
        className="max-h-52 min-h-32 overflow-auto rounded border border-line"
      >
        <table className="w-full border-collapse text-sm">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              {columns.map((column, place) => (
                <th
                  key={column.label}
                  scope="col"
                  className={classes('px-2.5 py-1.5 font-medium', numeric[place] ? 'text-end' : 'text-start')}
                >
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, line) => (
              // Rows have no other identity than their position, and are never reordered while shown.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above.
              <tr key={line} className="border-line border-t">
                {row.map((cell, place) => {
                  const column = columns[place]
                  const text = formatCell(cell, column)
                  return place === 0 ? (
                    <th key={column?.label} scope="row" className="px-2.5 py-1 text-start font-normal">
                      {text}
                    </th>
                  ) : (
                    <td
                      key={column?.label}
                      className={classes('px-2.5 py-1', numeric[place] && 'whitespace-nowrap text-end')}
                    >
                      {text}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="mt-2">
        <CopyButton text={csv(table)} label={t`Copy as CSV`} />
      </div>
    </>
  )
}
