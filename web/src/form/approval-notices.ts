/**
 * The notices at Approve. Anything on the page can report a notice with `useApprovalNotice`; the decision bar lists
 * them, and `useApprovalGate` makes a decision wait or ask for confirmation because of them.
 */

import {
  createContext,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

export type ApprovalNotice = {
  /** Short, without a period if it's one sentence: "250 of 300 rows not viewed". */
  text: string
  /**
   * - `info`: shown next to Approve.
   * - `confirm`: shown next to Approve, which then asks for confirmation.
   * - `wait`: a decision waits until the notice is gone.
   */
  level: 'info' | 'confirm' | 'wait'
  /** Takes the reviewer to what the notice is about. */
  show?: () => void
}

export type ReportedNotice = ApprovalNotice & { id: string }

/** The notices of one decision bar, in the order in which they were first reported. */
export class ApprovalNotices {
  #notices: readonly ReportedNotice[] = []
  readonly #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  current = (): readonly ReportedNotice[] => this.#notices

  /** Adds the notice, replaces the one with the same ID, or removes it (`null`). */
  report(id: string, notice: ApprovalNotice | null): void {
    const index = this.#notices.findIndex(each => each.id === id)
    if (notice === null) {
      if (index === -1) return
      this.#notices = this.#notices.toSpliced(index, 1)
    } else if (index === -1) this.#notices = [...this.#notices, { ...notice, id }]
    else this.#notices = this.#notices.with(index, { ...notice, id })
    for (const listener of this.#listeners) listener()
  }
}

/** Null if there is no approval, such as in a preview: notices are dropped there. */
export const ApprovalNoticesContext = createContext<ApprovalNotices | null>(null)

/** Shows this notice at Approve while the component is mounted; null for no notice. */
export function useApprovalNotice(notice: ApprovalNotice | null): void {
  const notices = useContext(ApprovalNoticesContext)
  const id = useId()
  const show = useRef(notice?.show)
  show.current = notice?.show
  const { text, level } = notice ?? {}
  const canShow = notice?.show !== undefined
  useLayoutEffect(() => {
    if (notices === null || text === undefined || level === undefined) return
    notices.report(id, { text, level, ...(canShow && { show: () => show.current?.() }) })
  }, [notices, id, text, level, canShow])
  const isReported = text !== undefined
  // Separate from the effect above, so that a changed text keeps its place in the list.
  useLayoutEffect(() => {
    if (isReported) return () => notices?.report(id, null)
  }, [notices, id, isReported])
}

export const useReportedNotices = (notices: ApprovalNotices): readonly ReportedNotice[] =>
  useSyncExternalStore(notices.subscribe, notices.current)

/** How the notices affect a decision. */
export function getApprovalGate(notices: readonly ApprovalNotice[]): 'wait' | 'confirm' | 'open' {
  if (notices.some(notice => notice.level === 'wait')) return 'wait'
  return notices.some(notice => notice.level === 'confirm') ? 'confirm' : 'open'
}

type Attempt<Decision> = { decision: Decision; confirms: boolean; subject: string }

/**
 * Holds a decision while the notices require it, then calls `pass`. `subject` names what is decided: a held decision is
 * dropped when the subject changes.
 */
export function useApprovalGate<Decision>(
  notices: readonly ApprovalNotice[],
  subject: string,
  pass: (decision: Decision) => void,
) {
  const [waiting, setWaiting] = useState<Attempt<Decision> | null>(null)
  const [asking, setAsking] = useState<Attempt<Decision> | null>(null)
  const gate = getApprovalGate(notices)

  const attempt = (decision: Decision, confirms: boolean) => {
    const heldDecision = { decision, confirms, subject }
    setWaiting(gate === 'wait' ? heldDecision : null)
    setAsking(gate === 'confirm' && confirms ? heldDecision : null)
    if (gate === 'open' || (gate === 'confirm' && !confirms)) pass(decision)
  }
  const latest = useRef(attempt)
  latest.current = attempt
  useEffect(() => {
    if (waiting === null || (gate === 'wait' && waiting.subject === subject)) return
    setWaiting(null)
    if (waiting.subject === subject) latest.current(waiting.decision, waiting.confirms)
  }, [waiting, gate, subject])
  useEffect(() => {
    if (asking !== null && (gate === 'open' || asking.subject !== subject)) setAsking(null)
  }, [asking, gate, subject])

  return {
    /** Passes the decision on: now, if there is nothing to wait for, or, if it `confirms`, after `confirm`. */
    attempt,
    /** The held decision, or null. */
    waiting: waiting?.subject === subject ? waiting.decision : null,
    isAsking: asking?.subject === subject && gate === 'confirm',
    confirm: () => {
      if (asking?.subject === subject) attempt(asking.decision, false)
    },
    cancel: () => {
      setWaiting(null)
      setAsking(null)
    },
  }
}
