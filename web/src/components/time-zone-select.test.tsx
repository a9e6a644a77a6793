// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { LabeledField } from './input'
import { setUpLayout } from './test-layout'
import { TimeZoneSelect } from './time-zone-select'

setUpLayout()

const onChange = vi.fn()
const show = (value: string | null, standard?: string) => {
  onChange.mockClear()
  render(
    <LabeledField label="Time zone">
      {attributes => (
        <TimeZoneSelect {...{ attributes, value, onChange }} {...(standard !== undefined && { standard })} />
      )}
    </LabeledField>,
  )
}

it('finds a city by its name', async () => {
  show('Europe/Berlin')
  await userEvent.click(screen.getByRole('combobox', { name: 'Time zone Europe/Berlin' }))
  await userEvent.keyboard('new york{Enter}')
  expect(onChange.mock.calls).toEqual([['America/New_York']])
})

it('has an option for the standard only if there is one', async () => {
  show('Europe/Berlin', 'UTC')
  await userEvent.click(screen.getByRole('combobox', { name: /^Time zone/ }))
  await userEvent.keyboard('utc')
  expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['UTC'])
  await userEvent.keyboard('{Enter}')
  expect(onChange.mock.calls).toEqual([[null]])
})

it('shows the standard if nothing is chosen', () => {
  show(null, 'Browser default')
  expect(screen.getByRole('combobox', { name: 'Time zone Browser default' })).toBeTruthy()
})

it('keeps a time zone that this browser does not know', async () => {
  show('Mars/Olympus_Mons')
  await userEvent.click(screen.getByRole('combobox', { name: 'Time zone Mars/Olympus Mons' }))
  expect(screen.getByRole('option', { name: 'Mars/Olympus Mons', selected: true })).toBeTruthy()
})
