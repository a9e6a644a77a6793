// @vitest-environment jsdom
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { setUpRendering } from '@/test-rendering'
import { Button, IconButton } from './button'
import { Confirm, Dialog } from './dialog'
import { InlineName } from './inline-name'
import { Input, LabeledField } from './input'
import { PasswordInput } from './password-input'
import { Segments } from './segments'
import { Switch } from './switch'
import { ToggleChip } from './toggle-chip'
import { TooltipProvider } from './tooltip'

const page = setUpRendering()

describe('a button', () => {
  it('keeps focus while it is locked, but does nothing', async () => {
    const onClick = vi.fn()
    await page.render(<Button onClick={onClick}>Approve</Button>)
    page.find('button').focus()
    await page.render(
      <Button onClick={onClick} locked>
        Approve
      </Button>,
    )
    await page.click('button')
    expect(onClick).not.toHaveBeenCalled()
    expect(document.activeElement).toBe(page.find('button[aria-disabled=true]'))
  })

  it("can't be clicked while its action is in progress", async () => {
    const onClick = vi.fn()
    await page.render(
      <Button onClick={onClick} busy>
        Approve
      </Button>,
    )
    await page.click('button[aria-busy=true]')
    expect(onClick).not.toHaveBeenCalled()
  })

  it("doesn't submit a form unless it says so", async () => {
    await page.render(<Button>Cancel</Button>)
    expect(page.find<HTMLButtonElement>('button').type).toBe('button')
  })

  it('has a name if it shows only an icon', async () => {
    await page.render(
      <TooltipProvider>
        <IconButton label="Delete" icon={<svg />} />
      </TooltipProvider>,
    )
    expect(page.find('button').getAttribute('aria-label')).toBe('Delete')
  })
})

describe('a labeled field', () => {
  it('is connected to its label, help, and error', async () => {
    await page.render(
      <LabeledField label="Email" help="For notifications." error="Enter an email address.">
        {attributes => <Input {...attributes} />}
      </LabeledField>,
    )
    const input = page.find<HTMLInputElement>('input[aria-invalid=true]')
    expect(input.labels?.[0]?.textContent).toBe('Email')
    const described = input.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map(id => document.getElementById(id)?.textContent)).toEqual([
      'For notifications.',
      'Enter an email address.',
    ])
    expect(page.getText('[role=alert]')).toBe('Enter an email address.')
  })

  it("isn't invalid without an error", async () => {
    await page.render(<LabeledField label="Email">{attributes => <Input {...attributes} />}</LabeledField>)
    expect(page.find('input').hasAttribute('aria-invalid')).toBe(false)
    expect(page.find('input').hasAttribute('aria-describedby')).toBe(false)
  })
})

it('a password can be shown', async () => {
  await page.render(
    <TooltipProvider>
      <PasswordInput autoComplete="current-password" />
    </TooltipProvider>,
  )
  await page.click('button[aria-pressed=false]')
  expect(page.find<HTMLInputElement>('input').type).toBe('text')
  await page.click('button[aria-pressed=true]')
  expect(page.find<HTMLInputElement>('input').type).toBe('password')
})

it('segments say which option is chosen', async () => {
  const onChange = vi.fn()
  const options = [
    { id: 'list', label: 'List' },
    { id: 'board', label: 'Board', detail: '3' },
  ]
  await page.render(<Segments label="Layout" options={options} value="list" onChange={onChange} />)
  expect(page.find('fieldset').getAttribute('aria-label')).toBe('Layout')
  expect(page.getText('[aria-pressed=true]')).toBe('List')
  await page.click('[aria-pressed=false]')
  expect(onChange.mock.calls).toEqual([['board']])
})

it('a toggle chip says whether it is chosen', async () => {
  const onClick = vi.fn()
  await page.render(
    <ToggleChip chosen onClick={onClick}>
      Monday
    </ToggleChip>,
  )
  await page.click('[aria-pressed=true]')
  expect(onClick).toHaveBeenCalledOnce()
})

it('a switch has a name and a description', async () => {
  const onChange = vi.fn()
  await page.render(<Switch checked={false} onChange={onChange} label="Digest" help="At 9:00." />)
  const control = page.find<HTMLButtonElement>('[role=switch][aria-checked=false]')
  expect(control.labels?.[0]?.textContent).toBe('Digest')
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'At 9:00.',
  )
  await page.click('[role=switch]')
  expect(onChange.mock.calls).toEqual([[true]])
})

function Invitation({ firm = false }: { firm?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <TooltipProvider>
      <button type="button" id="opener" onClick={() => setOpen(true)}>
        Invite
      </button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Invite member" firm={firm}>
        <input id="email" />
      </Dialog>
    </TooltipProvider>
  )
}

describe('a dialog', () => {
  it('focuses its first field, and returns focus when it is closed', async () => {
    await page.render(<Invitation />)
    page.find('#opener').focus()
    await page.click('#opener')
    expect(document.activeElement?.id).toBe('email')
    expect(page.getText('[role=dialog] h2')).toBe('Invite member')
    await page.press('#email', 'Escape')
    await vi.waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull())
    await vi.waitFor(() => expect(document.activeElement?.id).toBe('opener'))
  })

  it('stays open on Escape if it is firm', async () => {
    await page.render(<Invitation firm />)
    await page.click('#opener')
    await page.press('#email', 'Escape')
    expect(document.querySelector('[role=dialog]')).not.toBeNull()
    await page.click('[role=dialog] button')
    await vi.waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull())
  })

  it('focuses Cancel before something that is lost', async () => {
    await page.render(
      <TooltipProvider>
        <Confirm open onClose={vi.fn()} onConfirm={vi.fn()} title="Delete?" confirm="Delete" />
      </TooltipProvider>,
    )
    expect(document.activeElement?.textContent).toBe('Cancel')
  })
})

describe('a name in place', () => {
  const mutate = vi.fn((_: string, on: { onSuccess: () => void }) => on.onSuccess())

  const show = async () => {
    mutate.mockClear()
    await page.render(
      <TooltipProvider>
        <InlineName
          title="Run 1"
          name="Run 1"
          label="Rename"
          fieldLabel="Name"
          mayName
          naming={{ mutate, isPending: false, error: null }}
        />
      </TooltipProvider>,
    )
    await page.click('button')
  }

  it.each([
    ['Enter', ['Fall']],
    ['Escape', []],
  ])('%s saves %s', async (key, saved) => {
    await show()
    expect(document.activeElement).toBe(page.find('input'))
    await page.type('input', ' Fall ')
    await page.press('input', key)
    expect(mutate.mock.calls.map(([name]) => name)).toEqual(saved)
    expect(document.activeElement).toBe(page.find('button'))
  })
})
