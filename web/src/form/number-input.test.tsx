// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { i18n } from '@/lib/i18n'
import { NumberInput } from './number-input'

const changed = vi.fn()

const input = () => screen.getByRole<HTMLInputElement>('textbox')

const numberInput = (value: number | undefined, whole = false) => (
  <NumberInput value={value} whole={whole} min={0} onChange={changed} />
)

const show = (value: number | undefined, whole = false) => render(numberInput(value, whole))
const type = (text: string) => fireEvent.change(input(), { target: { value: text } })
const press = (key: string) => userEvent.type(input(), `{${key}}`)

beforeEach(() => {
  i18n.loadAndActivate({ locale: 'de', messages: {} })
  changed.mockClear()
})

afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} })
})

it('takes and shows the decimal mark of the language', async () => {
  show(2.5)
  expect(input().value).toBe('2,5')
  type('1,5')
  expect(changed).toHaveBeenLastCalledWith(1.5)
})

it('keeps the last number while the text could mean two', async () => {
  show(7)
  type('1.234')
  expect(changed).not.toHaveBeenCalled()
  expect(input().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toContain('1.234,5')
  expect(input().checkValidity()).toBe(false)
  fireEvent.blur(input())
  expect(input().value).toBe('7')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(input().checkValidity()).toBe(true)
})

it('is nothing when it is empty', async () => {
  show(7)
  type('')
  expect(changed).toHaveBeenLastCalledWith(undefined)
})

it('takes only whole numbers where they are wanted', async () => {
  show(7, true)
  type('1,5')
  expect(changed).not.toHaveBeenCalled()
})

it('goes up and down by the arrow keys, within its limits', async () => {
  const { rerender } = show(1)
  await press('ArrowUp')
  expect(changed).toHaveBeenLastCalledWith(2)
  await press('ArrowDown')
  expect(changed).toHaveBeenLastCalledWith(0)
  rerender(numberInput(0))
  await press('ArrowDown')
  expect(changed).toHaveBeenLastCalledWith(0)
})
