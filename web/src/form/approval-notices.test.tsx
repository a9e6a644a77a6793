// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type ApprovalNotice,
  ApprovalNotices,
  ApprovalNoticesContext,
  getApprovalGate,
  useApprovalGate,
  useApprovalNotice,
  useReportedNotices,
} from './approval-notices'

const notice = (level: ApprovalNotice['level'], text: string = level): ApprovalNotice => ({ level, text })

describe('gateOf', () => {
  it('is open without notices, and with those that only inform', () => {
    expect(getApprovalGate([])).toBe('open')
    expect(getApprovalGate([notice('info')])).toBe('open')
  })

  it('asks for confirmation, and waits before it asks', () => {
    expect(getApprovalGate([notice('info'), notice('confirm')])).toBe('confirm')
    expect(getApprovalGate([notice('confirm'), notice('wait')])).toBe('wait')
  })
})

describe('ApprovalNotices', () => {
  it('keeps the order of first reports, and tells its listeners', () => {
    const notices = new ApprovalNotices()
    const heard = vi.fn()
    notices.subscribe(heard)
    notices.report('a', notice('info', 'one'))
    notices.report('b', notice('info', 'two'))
    notices.report('a', notice('confirm', 'one, changed'))
    expect(notices.current().map(each => each.text)).toEqual(['one, changed', 'two'])
    notices.report('a', null)
    notices.report('unknown', null)
    expect(notices.current().map(each => each.text)).toEqual(['two'])
    expect(heard).toHaveBeenCalledTimes(4)
  })
})

let passed: string[]
let gate: ReturnType<typeof useApprovalGate<string>>
let setShown: (shown: (ApprovalNotice | null)[]) => void
let setSubject: (subject: string) => void
const notices = { current: new ApprovalNotices() }

function Reporter({ reported }: { reported: ApprovalNotice | null }) {
  useApprovalNotice(reported)
  return null
}

function Desk() {
  const [shown, show] = useState<(ApprovalNotice | null)[]>([])
  const [subject, change] = useState('review 1')
  setShown = show
  setSubject = change
  const reported = useReportedNotices(notices.current)
  gate = useApprovalGate(reported, subject, decision => passed.push(`${decision} ${subject}`))
  return (
    <ApprovalNoticesContext value={notices.current}>
      {shown.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: each stands for one field.
        <Reporter key={index} reported={each} />
      ))}
    </ApprovalNoticesContext>
  )
}

describe('in a form', () => {
  beforeEach(() => {
    passed = []
    notices.current = new ApprovalNotices()
    render(<Desk />)
  })

  const show = (...shown: (ApprovalNotice | null)[]) => act(() => setShown(shown))
  const attempt = (decision: string, confirms: boolean) => act(() => gate.attempt(decision, confirms))

  it('collects what components report, until they are gone', () => {
    show(notice('info', 'first'), notice('info', 'second'))
    show(notice('info', 'first, changed'), notice('info', 'second'))
    expect(notices.current.current().map(each => each.text)).toEqual(['first, changed', 'second'])
    show(null, notice('info', 'second'))
    expect(notices.current.current().map(each => each.text)).toEqual(['second'])
    show()
    expect(notices.current.current()).toEqual([])
  })

  it('passes a decision at once when nothing is in the way', () => {
    show(notice('info'))
    attempt('approved', true)
    expect(passed).toEqual(['approved review 1'])
  })

  it('asks before approving, not before rejecting', () => {
    show(notice('confirm'))
    attempt('rejected', false)
    expect(passed).toEqual(['rejected review 1'])
    attempt('approved', true)
    expect(gate.isAsking).toBe(true)
    expect(passed).toHaveLength(1)
    act(() => gate.confirm())
    expect(passed).toEqual(['rejected review 1', 'approved review 1'])
    expect(gate.isAsking).toBe(false)
  })

  it('stops asking once there is nothing to confirm, and does not approve because of that', () => {
    show(notice('confirm'))
    attempt('approved', true)
    show(null)
    expect(gate.isAsking).toBe(false)
    show(notice('confirm'))
    expect(gate.isAsking).toBe(false)
    act(() => gate.confirm())
    expect(passed).toEqual([])
  })

  it('waits, then passes the decision on', () => {
    show(notice('wait'))
    attempt('rejected', false)
    expect(gate.waiting).toBe('rejected')
    expect(passed).toEqual([])
    show(null)
    expect(passed).toEqual(['rejected review 1'])
    expect(gate.waiting).toBeNull()
  })

  it('asks when the wait ends with something to confirm', () => {
    show(notice('wait'))
    attempt('approved', true)
    show(notice('confirm', 'upload failed'))
    expect(passed).toEqual([])
    expect(gate.isAsking).toBe(true)
  })

  it('drops what is held back when canceled, and when the subject changes', () => {
    show(notice('wait'))
    attempt('approved', true)
    act(() => gate.cancel())
    show(null)
    expect(passed).toEqual([])

    show(notice('wait'))
    attempt('approved', true)
    act(() => setSubject('review 2'))
    show(null)
    expect(passed).toEqual([])

    show(notice('confirm'))
    attempt('approved', true)
    act(() => setSubject('review 3'))
    act(() => gate.confirm())
    expect(passed).toEqual([])
  })
})
