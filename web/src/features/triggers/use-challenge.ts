import { useCallback, useEffect, useRef } from 'react'
import { fetchChallenge } from '@/api/triggers'
import { solveChallenge } from './proof-of-work'

export type Solved = { challenge: string; solution: string }

/** A challenge that expires within this time isn't started any more. */
const EXPIRY_MARGIN_MS = 60_000

type Computation = { result: Promise<Solved>; until: () => number; stop: () => void }

/**
 * The proof of work of a submission, computed while the form is filled out. `solved` waits for the rest of it; `used`
 * drops it, because it's valid for one submission only.
 */
export function useChallenge(token: string) {
  const work = useRef<Computation | null>(null)

  const begin = useCallback((): Computation => {
    const present = work.current
    if (present !== null && present.until() > Date.now() + EXPIRY_MARGIN_MS) return present
    present?.stop()
    const stopping = new AbortController()
    let until = Number.POSITIVE_INFINITY
    const result = (async () => {
      const { challenge, bits, expiresAt } = await fetchChallenge(token, stopping.signal)
      until = Date.parse(expiresAt)
      return { challenge, solution: await solveChallenge(challenge, bits, stopping.signal) }
    })()
    const begun: Computation = { result, until: () => until, stop: () => stopping.abort() }
    // A failure is retried by the next call; until then it's ignored.
    result.catch(() => {
      if (work.current === begun) work.current = null
    })
    work.current = begun
    return begun
  }, [token])

  useEffect(() => () => work.current?.stop(), [])
  const forget = useCallback(() => {
    work.current?.stop()
    work.current = null
  }, [])
  return {
    begin,
    solved: useCallback(() => begin().result, [begin]),
    forget,
  }
}
