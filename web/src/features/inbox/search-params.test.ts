import { describe, expect, it } from 'vitest'
import {
  getDefaultView,
  getFilters,
  getSearch,
  type InboxSearch,
  readInboxSearch,
  VIEWS,
} from './search-params'

describe('readInboxSearch', () => {
  it.each<[string, Record<string, unknown>, InboxSearch]>([
    ['nothing', {}, {}],
    [
      'what is known',
      { view: 'mine', q: 'a b', order: 'oldest' },
      { view: 'mine', q: 'a b', order: 'oldest' },
    ],
    ['an unknown view', { view: 'toString' }, {}],
    ['an unknown order', { order: 'newest' }, {}],
    ['other members', { token: 'x', __proto__: 'y' }, {}],
    ['wrong types', { agent: ['a'], form: { a: 1 }, q: null, run: true }, {}],
    ['a number, which the address cannot tell from a text', { session: 17 }, { session: '17' }],
    ['empty texts', { q: '', agent: '' }, {}],
    ['a response', { response: 'rejected' }, { response: 'rejected' }],
    ['no response', { response: 'maybe' }, {}],
  ])('reads %s', (_name, raw, search) => {
    expect(readInboxSearch(raw)).toEqual(search)
  })

  it('bounds what comes in', () => {
    expect(readInboxSearch({ q: 'x'.repeat(10_000) }).q).toHaveLength(500)
  })
})

describe('getFilters', () => {
  it.each([
    ['mine', { state: 'pending', retryRequested: false, assignedTo: 'me' }],
    ['groups', { state: 'pending', retryRequested: false, assignedTo: 'myGroups' }],
    ['unassigned', { state: 'pending', retryRequested: false, assignedTo: 'nobody' }],
    ['all', { state: 'pending', retryRequested: false }],
    ['waiting', { state: 'pending', retryRequested: true }],
    ['decided', { state: 'responded' }],
    ['any', {}],
  ] as const)('of %s', (view, filters) => {
    expect(getFilters({ view })).toEqual(filters)
  })

  it('a view that says who it is for is not overruled', () => {
    expect(getFilters({ view: 'mine', assigned: 'usr_2' }).assignedTo).toBe('me')
    expect(getFilters({ view: 'decided', assigned: 'usr_2' }).assignedTo).toBe('usr_2')
  })

  it('pending reviews have no response', () => {
    expect(getFilters({ view: 'all', response: 'approved' })).not.toHaveProperty('response')
  })

  it('blank words are none', () => {
    expect(getFilters({ view: 'any', q: '   ' })).toEqual({})
  })
})

describe('getSearch', () => {
  const extras: InboxSearch[] = [
    {},
    { agent: 'agt_1', form: 'frm_1' },
    { session: 's', run: 'r', q: 'words', order: 'oldest' },
  ]
  it.each(VIEWS.flatMap(view => extras.map(extra => ({ view, ...extra }))))('gives back $view', search => {
    expect(getSearch(getFilters(search))).toEqual(search)
  })

  it.each([
    ['somebody else’s', { state: 'pending', assignedTo: 'usr_9' }, { view: 'all', assigned: 'usr_9' }],
    ['mine that wait', { retryRequested: true, assignedTo: 'me' }, { view: 'waiting', assigned: 'me' }],
    ['approved', { response: 'approved' }, { view: 'decided', response: 'approved' }],
    ['mine in any state', { assignedTo: 'me' }, { view: 'any', assigned: 'me' }],
  ] as const)('reads what another client saved: %s', (_name, filters, search) => {
    expect(getSearch(filters)).toEqual(search)
  })
})

describe('getDefaultView', () => {
  it.each<[string, InboxSearch, number | undefined, string | undefined]>([
    ['waits for the counts', {}, undefined, undefined],
    ['is mine when there is something', {}, 1, 'mine'],
    ['is all otherwise', {}, 0, 'all'],
    ['of a session is all of it', { session: 's' }, 5, 'any'],
    ['of a run is all of it', { run: 'r' }, undefined, 'any'],
    ['of an agent is what is open', { agent: 'a' }, 5, 'all'],
    ['of a response is what is decided', { response: 'approved' }, 5, 'decided'],
    ['is the one that is named', { view: 'waiting', session: 's' }, 5, 'waiting'],
  ])('%s', (_name, search, mine, view) => {
    expect(getDefaultView(search, mine)).toBe(view)
  })
})
