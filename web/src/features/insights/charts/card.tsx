import { t } from '@lingui/core/macro'
import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '@/components/button'
import { classes } from '@/lib/classes'
import type { Table } from '../table'
import { Numbers } from './numbers'

type CardProps = {
  title: string
  sentence: string
  table: Table
  /** Shown instead of the chart when there is no data. */
  empty?: string | false
  controls?: ReactNode
  className?: string
  /** Gets the sentence, which is the chart's label for screen readers. */
  children: (label: string) => ReactNode
}

/** A chart with its summary, and its table one click away. */
export function Card({ title, sentence, table, empty, controls, className, children }: CardProps) {
  const id = useId()
  const [numbers, setNumbers] = useState(false)
  const nothing = Boolean(empty)
  return (
    <section
      aria-labelledby={`${id}-title`}
      className={classes(
        '@container flex min-w-0 flex-col rounded-lg border border-line bg-surface px-4 pt-3 pb-4',
        className,
      )}
    >
      <header className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={`${id}-title`} className="min-w-0 grow font-semibold text-base">
          {title}
        </h2>
        {!nothing && (
          <div className="flex flex-wrap items-center gap-1">
            {!numbers && controls}
            <Button
              size="small"
              kind="quiet"
              aria-pressed={numbers}
              aria-describedby={`${id}-title`}
              icon={numbers ? <ChartColumn /> : <Table2 />}
              onClick={() => setNumbers(!numbers)}
            >
              {numbers
                ? t({ message: 'Chart', comment: 'Shows the chart instead of its table' })
                : t({ message: 'Table', comment: 'Shows a chart as a table' })}
            </Button>
          </div>
        )}
      </header>
      <p className="mt-0.5 mb-3 text-muted text-sm [overflow-wrap:anywhere]">{sentence}</p>
      {nothing ? (
        <p className="flex min-h-32 flex-1 items-center justify-center px-4 text-center text-muted">
          {empty}
        </p>
      ) : numbers ? (
        <Numbers table={table} title={title} />
      ) : (
        children(sentence)
      )}
    </section>
  )
}
