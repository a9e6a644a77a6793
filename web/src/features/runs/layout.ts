/** The positions of a run's steps in the graph: below the steps before them, branches side by side. */

export type PlacedStep<S> = {
  step: S
  /** From the top: one more than the lowest of its predecessors. */
  row: number
  /** From the left; rows that are shorter than the longest are centered. */
  column: number
  /** The number of steps in its row. */
  beside: number
  /** Its predecessors in the graph. */
  after: number[]
  /** The number of predecessors that aren't here: deleted, of another run, or never created. */
  missing: number
}

export type Layout<S> = { steps: PlacedStep<S>[]; rows: number[][]; columns: number }

type LinkedStep = { reviewId: string; prevSteps: readonly string[] }

/**
 * Steps are sorted oldest first. A predecessor counts only if it's older: a request can't follow a later one, so that
 * no input creates a cycle.
 */
export function layOutSteps<S extends LinkedStep>(steps: readonly S[]): Layout<S> {
  const indexes = new Map(steps.map((step, index) => [step.reviewId, index]))
  const placed: PlacedStep<S>[] = []
  const rows: number[][] = []
  steps.forEach((step, index) => {
    const named = [...new Set(step.prevSteps)]
    const known = named.flatMap(id => indexes.get(id) ?? [])
    const after = known.filter(earlier => earlier < index).sort((a, b) => a - b)
    const row = after.reduce((lowest, earlier) => Math.max(lowest, (placed[earlier]?.row ?? 0) + 1), 0)
    placed.push({ step, row, column: 0, beside: 1, after, missing: named.length - known.length })
    rows[row] = [...(rows[row] ?? []), index]
  })
  const columns = Math.max(1, ...rows.map(row => row.length))
  for (const row of rows) {
    // Below its predecessors, as far as there is room, so that few lines cross.
    const getPreferredRow = (index: number) => {
      const before = placed[index]?.after ?? []
      const sum = before.reduce((total, earlier) => total + (placed[earlier]?.column ?? 0), 0)
      return before.length > 0 ? sum / before.length : 0
    }
    row.sort((a, b) => getPreferredRow(a) - getPreferredRow(b) || a - b)
    row.forEach((index, position) => {
      const each = placed[index]
      if (each === undefined) return
      each.column = (columns - row.length) / 2 + position
      each.beside = row.length
    })
  }
  return { steps: placed, rows, columns }
}
