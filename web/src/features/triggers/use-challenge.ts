import { useCallback, useEffect, useRef } from 'react'
import { fetchChallenge } from '@/api/triggers'
import { solveChallenge } from './proof-of-work'

export type Solved = { challenge: string; solution: string }

/** A challenge that ends within this time is not begun with any more. */
const SPARE_MS = 60_000

type Work = { result: Promise<Solved>; until: () => number; stop: () => void }

/**
 * The work that a submission asks for, done while the form is filled in. `solved` waits for the rest of it; `used`
 * forgets it, since it pays for one submission only.
 */
export function useChallenge(token: string) {
  const work = useRef<Work | null>(null)

  const begin = useCallback((): Work => {
    const present = work.current
    if (present !== null && present.until() > Date.now() + SPARE_MS) return present
    present?.stop()
    const stopping = new AbortController()
    let until = Number.POSITIVE_INFINITY
    const result = (async () => {
      const { challenge, bits, expiresAt } = await fetchChallenge(token, stopping.signal)
      until = Date.parse(expiresAt)
      return { challenge, solution: await solveChallenge(challenge, bits, stopping.signal) }
    })()
    const begun: Work = { result, until: () => until, stop: () => stopping.abort() }
    // What fails is begun anew by whoever needs it next; until then nobody has to hear of it.
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
