// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { SearchBox } from './search-box'

const onSearch = vi.fn()
const onLeave = vi.fn()
const input = createRef<HTMLInputElement>()

const searchBox = (q?: string) => (
  <SearchBox label="Search" placeholder="Search reviews" {...{ q, onSearch, onLeave, input }} />
)
const getBox = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' })

beforeEach(() => {
  onSearch.mockClear()
  onLeave.mockClear()
})

it('searches once, after a pause', async () => {
  render(searchBox())
  fireEvent.change(getBox(), { target: { value: ' fa' } })
  fireEvent.change(getBox(), { target: { value: ' fall ' } })
  await waitFor(() => expect(onSearch).toHaveBeenCalled())
  expect(onSearch.mock.calls).toEqual([['fall']])
})

it('searches immediately on Enter, and leaves the box', async () => {
  render(searchBox())
  await userEvent.click(getBox())
  await userEvent.paste('fall')
  await userEvent.keyboard('{Enter}')
  expect(onSearch.mock.calls).toEqual([['fall']])
  expect(onLeave).toHaveBeenCalledOnce()
})

it('is cleared by Escape, which then leaves it', async () => {
  render(searchBox('fall'))
  await userEvent.type(getBox(), '{Escape}')
  expect(getBox().value).toBe('')
  expect(onSearch.mock.calls).toEqual([[undefined]])
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(document.body)
})

it('is cleared by its button', async () => {
  render(searchBox('fall'))
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(onSearch.mock.calls).toEqual([[undefined]])
})

it('follows the address of the page', async () => {
  const { rerender } = render(searchBox('fall'))
  rerender(searchBox('winter'))
  expect(getBox().value).toBe('winter')
  expect(onSearch).not.toHaveBeenCalled()
})
