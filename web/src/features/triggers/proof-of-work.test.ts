import { describe, expect, it } from 'vitest'
import { Search, solveChallenge } from './proof-of-work'

/** Uses the platform's own SHA-256. */
async function zeroBits(text: string): Promise<number> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Math.clz32(new DataView(digest).getUint32(0))
}

describe('the work of a public form', () => {
  // All lengths around the end of a block, where the padding takes a second one.
  it.each(Array.from({ length: 140 }, (_, length) => length))('is right for %i letters', async length => {
    const challenge = 'x'.repeat(length)
    const solution = Number(new Search(challenge, 5).try(100_000) ?? Number.NaN)
    expect(await zeroBits(`${challenge}:${solution}`)).toBeGreaterThanOrEqual(5)
    // The first solution: no smaller number solves it.
    for (let number = 0; number < solution; number++)
      expect(await zeroBits(`${challenge}:${number}`)).toBeLessThan(5)
  })

  it('goes on where it stopped', () => {
    const whole = new Search('challenge', 8).try(1_000_000)
    const search = new Search('challenge', 8)
    let solution: string | null = null
    while (solution === null) solution = search.try(7)
    expect(solution).toBe(whole)
  })

  it('takes letters that are several bytes', async () => {
    const solution = new Search('chällenge €', 8).try(1_000_000)
    expect(await zeroBits(`chällenge €:${solution}`)).toBeGreaterThanOrEqual(8)
  })

  it('stops when it is told to', async () => {
    const stopping = new AbortController()
    const solving = solveChallenge('challenge', 31, stopping.signal)
    stopping.abort()
    await expect(solving).rejects.toThrow()
  })
})
