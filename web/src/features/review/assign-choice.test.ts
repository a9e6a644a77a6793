import { describe, expect, it } from 'vitest'
import type { Group } from '@/api/settings/groups'
import type { User } from '@/api/settings/people'
import { findCandidates, getAssignmentError, isSameCandidate, toggleCandidate } from './assign-choice'

const person = (name: string, more: Partial<User> = {}): User => ({
  userId: `usr_${name}`,
  email: `${name.toLowerCase()}@example.com`,
  name,
  role: 'reviewer',
  disabled: false,
  invitationHeld: false,
  lastSignInAt: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  absence: null,
  ...more,
})
const group: Group = { groupId: 'grp_1', name: 'Legal', members: [], createdAt: '2026-01-01T00:00:00.000Z' }
const people = [
  person('Zoe'),
  person('Ann'),
  person('Gone', { disabled: true }),
  person('Looker', { role: 'viewer' }),
]
const found = (typed: string, me = 'zoe@example.com') =>
  findCandidates(people, [group], typed, me).map(each => each.id)

describe('who could be asked', () => {
  it.each([
    ['everybody who can decide, oneself first', '', ['zoe@example.com', 'ann@example.com', 'grp_1']],
    ['by name', 'an', ['ann@example.com']],
    ['by address, in any case', 'ANN@', ['ann@example.com']],
    ['all words', 'ann legal', []],
    ['groups', 'leg', ['grp_1']],
    ['an address outside', 'Counsel@Partner.example', ['counsel@partner.example']],
    ['a member’s address is no address outside', 'ann@example.com', ['ann@example.com']],
    ['not two addresses at once', 'a@b.example,c@d.example', []],
  ])('%s', (_, typed, ids) => expect(found(typed)).toEqual(ids))

  it('is nobody outside as long as members are not known', () => {
    expect(findCandidates(undefined, [], 'ann@example.com', 'x')).toEqual([])
  })

  it('is bounded', () => {
    const many = Array.from({ length: 500 }, (_, number) => person(`P${number}`))
    expect(findCandidates(many, [], '', 'x').length).toBe(50)
  })
})

describe('a choice', () => {
  const none = { users: [], groups: [], external: [] }
  it('is made and taken back', () => {
    const once = toggleCandidate(none, { kind: 'users', id: 'a' })
    expect(once).toEqual({ ...none, users: ['a'] })
    expect(toggleCandidate(once, { kind: 'users', id: 'a' })).toEqual(none)
  })
  it('is the same in any order', () => {
    expect(isSameCandidate({ ...none, users: ['a', 'b'] }, { ...none, users: ['b', 'a'] })).toBe(true)
    expect(isSameCandidate({ ...none, users: ['a'] }, { ...none, groups: ['a'] })).toBe(false)
  })
})

describe('names', () => {
  it('are said instead of emails for the delegate', () => {
    const absence = {
      from: '2026-01-01T00:00:00Z',
      until: '2026-02-01T00:00:00Z',
      delegate: 'ann@example.com',
    }
    const [zoe] = findCandidates([person('Zoe', { absence }), person('Ann')], [], 'zoe', 'x')
    expect(zoe?.absence?.delegate).toBe('Ann')
  })

  it('are said instead of paths where an assignment is refused', () => {
    const error = (path: string) => ({ path, code: 'x', message: "can't decide reviews" })
    const sent = { users: ['zoe@example.com'], groups: ['grp_1', 'grp_2'], external: ['kai@example.org'] }
    const paths = ['users[0]', 'groups[0]', 'groups[1]', 'external[0]', 'users']
    expect(getAssignmentError(paths.map(error), sent, people, [group])).toEqual([
      "Zoe: can't decide reviews",
      "Legal: can't decide reviews",
      "Unknown group: can't decide reviews",
      "kai@example.org: can't decide reviews",
      "can't decide reviews",
    ])
  })
})
