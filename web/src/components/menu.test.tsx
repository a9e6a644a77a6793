// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Menu, MenuChoice, MenuItem } from './menu'

const archive = vi.fn()
const choose = vi.fn()

const show = () =>
  render(
    <Menu trigger={<button type="button">More</button>}>
      <MenuItem disabled onSelect={archive}>
        Move
      </MenuItem>
      <MenuItem keys="e" onSelect={archive}>
        Archive
      </MenuItem>
      <MenuChoice
        value="list"
        onChange={choose}
        options={[
          { id: 'list', label: 'List' },
          { id: 'board', label: 'Board' },
        ]}
      />
    </Menu>,
  )
const hasClosed = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull())

it('is used by keyboard, skips disabled items, and returns focus', async () => {
  show()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Archive'))
  await userEvent.keyboard('{Enter}')
  expect(archive).toHaveBeenCalledOnce()
  await hasClosed()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'More' }))
})

it("doesn't run a disabled item", async () => {
  archive.mockClear()
  show()
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Move' }), { pointerEventsCheck: 0 })
  expect(archive).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await hasClosed()
})

it('says which choice applies', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  expect(screen.getByRole('menuitemradio', { checked: true }).textContent).toContain('List')
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Board' }))
  expect(choose.mock.calls).toEqual([['board']])
})
