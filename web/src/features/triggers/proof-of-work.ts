/** The proof of work of a public form: a number that makes the hash of the challenge start with zero bits. */

import { BLOCK, compress, pad, START } from './sha256'

/** Tries numbers from 0 up. The part of the hash before the number is computed once. */
export class Search {
  private readonly known = Int32Array.from(START)
  private readonly state = new Int32Array(8)
  private readonly block = new Uint8Array(2 * BLOCK)
  private readonly before: number
  private readonly total: number
  private readonly bits: number
  private next = 0

  constructor(challenge: string, bits: number) {
    const bytes = new TextEncoder().encode(`${challenge}:`)
    const whole = bytes.length - (bytes.length % BLOCK)
    for (let at = 0; at < whole; at += BLOCK) compress(this.known, this.known, bytes, at)
    this.block.set(bytes.subarray(whole))
    this.before = bytes.length - whole
    this.total = bytes.length
    this.bits = bits
  }

  /** Tries this many numbers; returns the solution, or null. */
  try(count: number): string | null {
    for (let i = 0; i < count; i++) {
      const solution = String(this.next++)
      for (let at = 0; at < solution.length; at++) this.block[this.before + at] = solution.charCodeAt(at)
      const end = pad(this.block, this.before + solution.length, this.total + solution.length)
      compress(this.known, this.state, this.block, 0)
      if (end > BLOCK) compress(this.state, this.state, this.block, BLOCK)
      if ((this.state[0] as number) >>> (32 - this.bits) === 0) return solution
    }
    return null
  }
}

const SLICE_MS = 8
const BATCH_SIZE = 250

/** Searches in slices, between which the page stays responsive. */
export async function solveChallenge(challenge: string, bits: number, signal: AbortSignal): Promise<string> {
  const search = new Search(challenge, bits)
  for (;;) {
    const until = performance.now() + SLICE_MS
    do {
      const solution = search.try(BATCH_SIZE)
      if (solution !== null) return solution
    } while (performance.now() < until)
    await nextTurn()
    signal.throwIfAborted()
  }
}

/** Avoids the minimum delay that browsers put between timers. */
const nextTurn = (): Promise<void> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
