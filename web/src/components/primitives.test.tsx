// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Button, IconButton } from './button'
import { Confirm, Dialog } from './dialog'
import { InlineName } from './inline-name'
import { Input, LabeledField } from './input'
import { PasswordInput } from './password-input'
import { Segments } from './segments'
import { Switch } from './switch'
import { Table } from './table'
import { Toast, Toasts } from './toast'
import { ToggleChip } from './toggle-chip'
import { TooltipProvider } from './tooltip'

let user: ReturnType<typeof userEvent.setup>
beforeEach(() => {
  user = userEvent.setup()
})

const show = (element: ReactNode) => render(element, { wrapper: TooltipProvider })

function Send({ onClick }: { onClick: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const send = () => {
    onClick()
    setBusy(true)
  }
  return (
    <Button busy={isBusy} onClick={send}>
      Send
    </Button>
  )
}

describe('a button', () => {
  it('keeps focus while it is locked, but does nothing', async () => {
    const onClick = vi.fn()
    const { rerender } = show(<Button onClick={onClick}>Approve</Button>)
    const button = screen.getByRole('button', { name: 'Approve' })
    button.focus()
    rerender(
      <Button onClick={onClick} locked>
        Approve
      </Button>,
    )
    await user.click(button)
    await user.keyboard('{Enter}')
    expect(onClick).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it("can't be clicked while its action is in progress", async () => {
    const onClick = vi.fn()
    show(
      <Button onClick={onClick} busy>
        Approve
      </Button>,
    )
    await user.click(screen.getByRole('button', { busy: true }))
    expect(onClick).not.toHaveBeenCalled()
  })

  it('takes a double click as one if it becomes busy', async () => {
    const onClick = vi.fn()
    show(<Send onClick={onClick} />)
    await user.dblClick(screen.getByRole('button', { name: 'Send' }))
    expect(onClick).toHaveBeenCalledOnce()
  })

  it("doesn't submit a form unless it says so", async () => {
    show(<Button>Cancel</Button>)
    expect(screen.getByRole<HTMLButtonElement>('button').type).toBe('button')
  })

  it('has a name if it shows only an icon', async () => {
    show(<IconButton label="Delete" icon={<svg />} />)
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
  })
})

describe('a labeled field', () => {
  it('is connected to its label, help, and error', async () => {
    show(
      <LabeledField label="Email" help="For notifications." error="Enter an email address.">
        {attributes => <Input {...attributes} />}
      </LabeledField>,
    )
    const input = screen.getByRole('textbox', {
      name: 'Email',
      description: 'For notifications. Enter an email address.',
    })
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('alert').textContent).toBe('Enter an email address.')
  })

  it("isn't invalid without an error", async () => {
    show(<LabeledField label="Email">{attributes => <Input {...attributes} />}</LabeledField>)
    const input = screen.getByRole('textbox', { name: 'Email' })
    expect(input.hasAttribute('aria-invalid')).toBe(false)
    expect(input.hasAttribute('aria-describedby')).toBe(false)
  })
})

it('a password can be shown', async () => {
  show(<PasswordInput aria-label="Password" autoComplete="current-password" />)
  const input = screen.getByLabelText<HTMLInputElement>('Password')
  await user.click(screen.getByRole('button', { pressed: false }))
  expect(input.type).toBe('text')
  await user.click(screen.getByRole('button', { pressed: true }))
  expect(input.type).toBe('password')
})

it('segments say which option is chosen', async () => {
  const onChange = vi.fn()
  const options = [
    { id: 'list', label: 'List' },
    { id: 'board', label: 'Board', detail: '3' },
  ]
  show(<Segments label="Layout" options={options} value="list" onChange={onChange} />)
  expect(screen.getByRole('group', { name: 'Layout' })).toBeTruthy()
  expect(screen.getByRole('button', { pressed: true }).textContent).toBe('List')
  await user.click(screen.getByRole('button', { pressed: false }))
  expect(onChange.mock.calls).toEqual([['board']])
})

it('segments are used by keyboard', async () => {
  const onChange = vi.fn()
  const options = [
    { id: 'list', label: 'List' },
    { id: 'board', label: 'Board' },
  ]
  show(<Segments label="Layout" options={options} value="list" onChange={onChange} />)
  await user.tab()
  await user.tab()
  await user.keyboard(' ')
  expect(onChange.mock.calls).toEqual([['board']])
})

it("a toggle chip and a switch do nothing while they're disabled", async () => {
  const onChange = vi.fn()
  show(
    <>
      <ToggleChip chosen={false} disabled onClick={onChange}>
        Monday
      </ToggleChip>
      <Switch checked disabled onChange={onChange} label="Digest" />
    </>,
  )
  await user.click(screen.getByRole('button', { name: 'Monday' }))
  await user.click(screen.getByRole('switch', { name: 'Digest', checked: true }))
  await user.click(screen.getByText('Digest'))
  await user.tab()
  expect(document.activeElement).toBe(document.body)
  expect(onChange).not.toHaveBeenCalled()
})

it('a toggle chip says whether it is chosen', async () => {
  const onClick = vi.fn()
  show(
    <ToggleChip chosen onClick={onClick}>
      Monday
    </ToggleChip>,
  )
  await user.click(screen.getByRole('button', { name: 'Monday', pressed: true }))
  expect(onClick).toHaveBeenCalledOnce()
})

it('a switch has a name and a description', async () => {
  const onChange = vi.fn()
  show(<Switch checked={false} onChange={onChange} label="Digest" help="At 9:00." />)
  await user.click(screen.getByRole('switch', { name: 'Digest', description: 'At 9:00.', checked: false }))
  expect(onChange.mock.calls).toEqual([[true]])
})

it('a table has a name and a label for each column', async () => {
  const columns = [
    { label: 'Name' },
    { label: 'All', head: <input type="checkbox" aria-label="Select all" /> },
  ]
  show(
    <Table label="Members" columns={[...columns, { label: 'Actions', isLabelHidden: true }]}>
      <tr>
        <td>Sam</td>
        <td />
        <td />
      </tr>
    </Table>,
  )
  expect(screen.getByRole('region', { name: 'Members' }).tabIndex).toBe(0)
  const names = ['Name', 'Select all', 'Actions']
  for (const name of names) expect(screen.getByRole('columnheader', { name })).toBeTruthy()
  expect(screen.getAllByRole('columnheader')).toHaveLength(names.length)
})

it('toasts are stacked, and the actions of each work', async () => {
  const undo = vi.fn()
  show(
    <Toasts>
      <Toast role="alert">Couldn't approve</Toast>
      <Toast actions={<Button onClick={undo}>Undo</Button>}>Rejected</Toast>
    </Toasts>,
  )
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toBe("Couldn't approve")
  expect(alert.parentElement).toBe(screen.getByText('Rejected').parentElement?.parentElement)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledOnce()
})

function Invitation({ firm = false }: { firm?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Invite
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Invite member" firm={firm}>
        <input aria-label="Email" />
      </Dialog>
    </>
  )
}

describe('a dialog', () => {
  it('focuses its first field, and returns focus when it is closed', async () => {
    show(<Invitation />)
    await user.click(screen.getByRole('button', { name: 'Invite' }))
    expect(screen.getByRole('dialog', { name: 'Invite member' })).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Invite'))
  })

  it('stays open on Escape if it is firm', async () => {
    show(<Invitation firm />)
    await user.click(screen.getByRole('button', { name: 'Invite' }))
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('focuses Cancel before something that is lost', async () => {
    show(<Confirm open onClose={vi.fn()} onConfirm={vi.fn()} title="Delete?" confirm="Delete" />)
    expect(document.activeElement?.textContent).toBe('Cancel')
  })
})

describe('a name in place', () => {
  it.each([
    ['{Enter}', ['Fall']],
    ['{Escape}', []],
  ])('%s saves %s', async (key, saved) => {
    const mutate = vi.fn((_: string, on: { onSuccess: () => void }) => on.onSuccess())
    show(
      <InlineName
        title="Run 1"
        name="Run 1"
        label="Rename"
        fieldLabel="Name"
        mayName
        naming={{ mutate, isPending: false, error: null }}
      />,
    )
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    const field = screen.getByRole('textbox', { name: 'Name' })
    expect(document.activeElement).toBe(field)
    await user.clear(field)
    await user.type(field, ` Fall ${key}`)
    expect(mutate.mock.calls.map(([name]) => name)).toEqual(saved)
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename' }))
  })
})
