/** Where the steps of a run stand when they are drawn: below what came before them, branches side by side. */

export type PlacedStep<S> = {
  step: S
  /** From the top: one more than the lowest of what came before it. */
  row: number
  /** From the left; rows that are shorter than the longest stand in the middle. */
  column: number
  /** How many steps stand side by side in its row. */
  beside: number
  /** What came before it and is drawn. */
  after: number[]
  /** What came before it and is not here: deleted, of another run, or never there. */
  missing: number
}

export type Layout<S> = { steps: PlacedStep<S>[]; rows: number[][]; columns: number }

type LinkedStep = { reviewId: string; prevSteps: readonly string[] }

/**
 * Steps come oldest first. What a step names as before it counts only where it is older: a request cannot follow one that
 * came later, and so whatever is sent, nothing goes in circles.
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
    // Below what it follows, as far as there is room: few lines cross then.
    const wish = (index: number) => {
      const before = placed[index]?.after ?? []
      const sum = before.reduce((total, earlier) => total + (placed[earlier]?.column ?? 0), 0)
      return before.length > 0 ? sum / before.length : 0
    }
    row.sort((a, b) => wish(a) - wish(b) || a - b)
    row.forEach((index, position) => {
      const each = placed[index]
      if (each === undefined) return
      each.column = (columns - row.length) / 2 + position
      each.beside = row.length
    })
  }
  return { steps: placed, rows, columns }
}
