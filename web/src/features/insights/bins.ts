/** A rate of two decisions is noise: neighboring steps are merged until few enough are left. */

const SIZES = [1, 2, 3, 6, 7, 14, 28] as const
export const MAX_BINS = 13

/** Groups of neighbors, the newest complete; the rest is at the beginning. */
export function buildBins(length: number, most = MAX_BINS): { from: number; to: number }[] {
  const size = SIZES.find(each => length / each <= most) ?? Math.ceil(length / most)
  const made: { from: number; to: number }[] = []
  for (let to = length; to > 0; to -= size) made.unshift({ from: Math.max(0, to - size), to })
  return made
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
