// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { CommandPalette, type PaletteItem } from './command-palette'
import { setUpLayout } from './test-layout'

setUpLayout()

const run = vi.fn()
const onClose = vi.fn()
const createItem = (label: string, rest: Partial<PaletteItem> = {}): PaletteItem => ({
  id: label,
  label,
  run: () => run(label),
  ...rest,
})
const GROUPS = [
  {
    heading: 'Actions',
    items: [createItem('Mark as approved'), createItem('Approve'), createItem('Réject')],
  },
  { heading: 'Go to', items: [createItem('Inbox', { also: 'approvals' })] },
]

const show = (find: (words: string) => Promise<readonly PaletteItem[]> = async () => []) =>
  render(<CommandPalette onClose={onClose} groups={GROUPS} find={find} foundHeading="Reviews" />)
const getOptions = () => screen.getAllByRole('option').map(option => option.textContent)
const search = (words: string) => userEvent.type(screen.getByRole('combobox', { name: /^Search/ }), words)

beforeEach(() => {
  run.mockClear()
  onClose.mockClear()
})

it('shows everything at first, in groups', () => {
  show()
  expect(getOptions()).toEqual(['Mark as approved', 'Approve', 'Réject', 'Inbox'])
  expect(screen.getAllByRole('group').map(group => group.getAttribute('aria-label'))).toEqual([
    'Actions',
    'Go to',
  ])
})

it('lists the items that start with the search first, and finds others by more words', async () => {
  show()
  await search('approv')
  expect(getOptions()).toEqual(['Approve', 'Mark as approved', 'Inbox'])
})

it('ignores accents', async () => {
  show()
  await search('rej')
  expect(getOptions()).toEqual(['Réject'])
})

it('shows what the service finds, even without the words, after better matches', async () => {
  show(async () => [createItem('Autumn campaign')])
  await search('mark')
  await waitFor(() => expect(getOptions()).toEqual(['Mark as approved', 'Autumn campaign']))
})

it('works without the service', async () => {
  show(() => Promise.reject(new Error('offline')))
  await search('zzz')
  expect((await screen.findByText('No results')).closest('[role=status]')).not.toBeNull()
})

it('runs the first match on Enter, once it has closed', async () => {
  show()
  await search('app{Enter}')
  expect(onClose).toHaveBeenCalledOnce()
  await waitFor(() => expect(run.mock.calls).toEqual([['Approve']]))
})

it('closes on Escape', async () => {
  show()
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
  expect(run).not.toHaveBeenCalled()
})
