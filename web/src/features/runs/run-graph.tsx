import { plural, t } from '@lingui/core/macro'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Step } from '@/api/runs'
import { type Layout, layOutSteps } from './layout'
import { StepCard, useStepTitle } from './step-card'

const WIDTH = 248
const HEIGHT = 112
const GAP_X = 28
const GAP_Y = 36

/** The steps of a run as a graph; if there is no room for branches side by side, as a list. */
export function RunGraph({ steps }: { steps: readonly Step[] }) {
  const layout = useMemo(() => layOutSteps(steps), [steps])
  const titleOf = useStepTitle()
  const following = (after: readonly number[]) =>
    after.flatMap(index => {
      const before = layout.steps[index]
      return before === undefined ? [] : [titleOf(before.step)]
    })
  const Shape = useIsWide() ? Graph : Column
  return <Shape layout={layout} following={following} />
}

const WIDE = '(min-width: 48rem)'

/** Whether there is room for steps side by side. */
function useIsWide(): boolean {
  return useSyncExternalStore(
    useCallback(listener => {
      const query = matchMedia(WIDE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    }, []),
    () => matchMedia(WIDE).matches,
  )
}

type Props = { layout: Layout<Step>; following: (after: readonly number[]) => string[] }

const left = (column: number) => column * (WIDTH + GAP_X)
const top = (row: number) => row * (HEIGHT + GAP_Y)

function Graph({ layout, following }: Props) {
  const width = layout.columns * (WIDTH + GAP_X) - GAP_X
  const height = layout.rows.length * (HEIGHT + GAP_Y) - GAP_Y
  return (
    <section
      aria-label={t`Steps`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be focusable.
      tabIndex={0}
      className="overflow-x-auto px-6 py-5 -outline-offset-2"
    >
      <div className="relative mx-auto" style={{ width, height }}>
        <svg
          width={width}
          height={height}
          aria-hidden="true"
          className="absolute inset-0 text-line-strong rtl:-scale-x-100"
        >
          <path d={getLines(layout)} fill="none" stroke="currentColor" strokeWidth={1.5} />
        </svg>
        <ol>
          {layout.rows.flat().map(index => {
            const placed = layout.steps[index]
            if (placed === undefined) return null
            return (
              <li
                key={placed.step.reviewId}
                className="absolute"
                style={{
                  insetInlineStart: left(placed.column),
                  top: top(placed.row),
                  width: WIDTH,
                  height: HEIGHT,
                }}
              >
                <StepCard placed={placed} following={following(placed.after)} className="h-full" />
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

/** Lines from the bottom of each step to the top of those that follow. One path for all: there may be thousands. */
function getLines({ steps }: Layout<Step>): string {
  return steps
    .flatMap(({ after, row, column }) =>
      after.flatMap(index => {
        const before = steps[index]
        if (before === undefined) return []
        const [x1, y1] = [left(before.column) + WIDTH / 2, top(before.row) + HEIGHT]
        const [x2, y2] = [left(column) + WIDTH / 2, top(row)]
        const bend = Math.min(GAP_Y, (y2 - y1) / 2)
        return [`M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`]
      }),
    )
    .join('')
}

const formatParallelSteps = (count: number): string =>
  plural(count, { one: '# parallel step', other: '# parallel steps' })

/** Steps in one column. Steps that are side by side in the graph share a line here. */
function Column({ layout, following }: Props) {
  return (
    <ol aria-label={t`Steps`} className="flex flex-col px-3 py-4">
      {layout.rows.map((row, number) => (
        <li key={row[0]} className="flex flex-col">
          {number > 0 && <span aria-hidden="true" className="ms-6 h-4 w-px bg-line-strong" />}
          {row.length > 1 && <p className="mb-1 text-muted text-xs">{formatParallelSteps(row.length)}</p>}
          <ul
            className={row.length > 1 ? 'flex flex-col gap-2 border-line-strong border-s-2 ps-3' : undefined}
          >
            {row.map(index => {
              const placed = layout.steps[index]
              if (placed === undefined) return null
              return (
                <li key={placed.step.reviewId}>
                  <StepCard placed={placed} following={following(placed.after)} className="min-h-11" />
                </li>
              )
            })}
          </ul>
        </li>
      ))}
    </ol>
  )
}
