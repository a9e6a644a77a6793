// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { matchesSearch } from '@/lib/matches-search'
import { Combobox, type ItemGroup, SearchableList } from './combobox'
import { ROW, setUpLayout } from './test-layout'

const FRUIT = ['Apple', 'Avocado', 'Äpfel', 'Banana', 'Cherry']

const scrollTo = setUpLayout()

const filter = (items: readonly string[], search: string) => items.filter(item => matchesSearch(item, search))
const getActive = () => {
  const id = screen.getByRole('combobox').getAttribute('aria-activedescendant')
  return id === null ? null : document.getElementById(id)?.textContent
}

type ListProps = { items?: readonly string[]; groups?: ItemGroup<string>[]; isLoading?: boolean }

function List({ items = FRUIT, groups, isLoading, onChoose }: ListProps & { onChoose?: () => void }) {
  const [search, setSearch] = useState('')
  return (
    <SearchableList
      size="dialog"
      label="Fruit"
      placeholder="Search"
      search={search}
      onSearch={setSearch}
      groups={groups ?? [{ items: filter(items, search) }]}
      getId={item => item}
      renderItem={item => item}
      onChoose={onChoose ?? (() => {})}
      empty="No matching fruit"
      {...(isLoading !== undefined && { isLoading })}
    />
  )
}

describe('a searchable list', () => {
  it('is used by keyboard, from the search box', async () => {
    const onChoose = vi.fn()
    render(<List onChoose={onChoose} />)
    await userEvent.click(screen.getByRole('combobox', { name: 'Fruit' }))
    expect(getActive()).toBe('Apple')
    for (const [key, active] of [
      ['{ArrowDown}', 'Avocado'],
      ['{ArrowUp}{ArrowUp}', 'Cherry'],
      ['{ArrowDown}', 'Apple'],
      ['{End}', 'Cherry'],
      ['{PageUp}', 'Apple'],
      ['{PageDown}', 'Cherry'],
      ['{Home}', 'Apple'],
      ['{Control>}n{/Control}', 'Avocado'],
      ['{Control>}k{/Control}', 'Apple'],
    ] as const) {
      await userEvent.keyboard(key)
      expect(getActive()).toBe(active)
    }
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(onChoose.mock.calls).toEqual([['Avocado']])
    expect(document.activeElement).toBe(screen.getByRole('combobox'))
  })

  it('makes the first match active after a search, ignoring accents', async () => {
    const onChoose = vi.fn()
    render(<List onChoose={onChoose} />)
    await userEvent.type(screen.getByRole('combobox'), '{End}apf')
    expect(scrollTo).toHaveBeenLastCalledWith({ top: 0 })
    expect(screen.getAllByRole('option').map(option => option.textContent)).toEqual(['Äpfel'])
    await userEvent.keyboard('{Enter}')
    expect(onChoose.mock.calls).toEqual([['Äpfel']])
  })

  it('keeps the active item when more items arrive', async () => {
    const { rerender } = render(<List items={['Banana']} />)
    expect(getActive()).toBe('Banana')
    rerender(<List items={['Apple', 'Banana']} />)
    expect(getActive()).toBe('Banana')
  })

  it('makes the first item active once it arrives', async () => {
    const { rerender } = render(<List items={[]} isLoading />)
    expect(screen.getByRole('listbox').getAttribute('aria-busy')).toBe('true')
    expect(screen.queryByText('No matching fruit')).toBeNull()
    expect(getActive()).toBeNull()
    rerender(<List isLoading={false} />)
    expect(getActive()).toBe('Apple')
  })

  it('announces that nothing matches, and Enter does nothing then', async () => {
    const onChoose = vi.fn()
    render(<List onChoose={onChoose} />)
    await userEvent.type(screen.getByRole('combobox'), 'zzz{ArrowDown}{Enter}')
    expect(screen.getByRole('status').textContent).toBe('No matching fruit')
    expect(screen.queryAllByRole('option')).toEqual([])
    expect(onChoose).not.toHaveBeenCalled()
  })

  it('renders only visible rows, and says how many there are', async () => {
    render(<List items={Array.from({ length: 1_000 }, (_, index) => `Item ${index}`)} />)
    const options = screen.getAllByRole('option')
    expect(options.length).toBeLessThan(40)
    expect(options[1]?.getAttribute('aria-posinset')).toBe('2')
    expect(options[1]?.getAttribute('aria-setsize')).toBe('1000')
  })

  it('names its groups, and leaves out empty ones', async () => {
    const groups = [
      { heading: 'Red', items: ['Cherry'] },
      { heading: 'Blue', items: [] },
      { heading: 'Yellow', items: ['Banana'] },
    ]
    render(<List groups={groups} />)
    expect(screen.getAllByRole('group').map(group => group.getAttribute('aria-label'))).toEqual([
      'Red',
      'Yellow',
    ])
    const yellow = screen.getByRole('group', { name: 'Yellow' })
    expect(within(yellow).getByRole('option').getAttribute('aria-posinset')).toBe('2')
  })
})

type FieldProps = { multiple?: boolean; disabled?: boolean; onChange?: (item: string) => void }

function Field({ multiple = false, disabled = false, onChange }: FieldProps) {
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <>
      <p id="label">Fruit</p>
      <Combobox
        attributes={{ id: 'fruit', 'aria-labelledby': 'label', disabled }}
        label="Fruit"
        text={chosen.length > 0 ? chosen.join(', ') : undefined}
        placeholder="Choose…"
        getGroups={search => [{ items: filter(FRUIT, search) }]}
        getId={item => item}
        renderItem={item => item}
        onChoose={item => {
          onChange?.(item)
          setChosen(multiple ? [...chosen, item] : [item])
        }}
        chosen={chosen}
        multiple={multiple}
        empty="No matching fruit"
      />
    </>
  )
}

const getButton = () => screen.getByRole('combobox', { name: /^Fruit/ })

describe('a combobox', () => {
  it('shows its choice, and returns focus', async () => {
    render(<Field />)
    expect(screen.getByRole('combobox', { name: 'Fruit Choose…', expanded: false })).toBe(getButton())
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Search options for Fruit' }))
    await userEvent.keyboard('ban{Enter}')
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
    expect(screen.getByRole('combobox', { name: 'Fruit Banana' })).toBe(document.activeElement)
  })

  it('starts at its choice when it opens again, with an empty search', async () => {
    render(<Field />)
    await userEvent.click(getButton())
    await userEvent.click(screen.getByRole('option', { name: 'Cherry' }))
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
    await userEvent.click(getButton())
    expect(scrollTo).toHaveBeenLastCalledWith(expect.objectContaining({ top: ROW }))
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Cherry')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: /^Search/ }).value).toBe('')
    expect(screen.getByRole('combobox', { name: /^Search/ }).getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { name: 'Cherry' }).id,
    )
  })

  it('closes without a choice on Escape', async () => {
    render(<Field />)
    await userEvent.click(getButton())
    await userEvent.keyboard('{ArrowDown}{Escape}')
    await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
    expect(screen.getByRole('combobox', { name: 'Fruit Choose…' })).toBe(document.activeElement)
  })

  it('stays open if several can be chosen', async () => {
    render(<Field multiple />)
    await userEvent.click(getButton())
    expect(screen.getByRole('listbox').getAttribute('aria-multiselectable')).toBe('true')
    await userEvent.click(screen.getByRole('option', { name: 'Apple' }))
    await userEvent.click(screen.getByRole('option', { name: 'Cherry' }))
    expect(screen.getAllByRole('option', { selected: true })).toHaveLength(2)
  })

  it('takes a double click on an option as one choice', async () => {
    const onChange = vi.fn()
    render(<Field onChange={onChange} />)
    await userEvent.click(getButton())
    await userEvent.dblClick(screen.getByRole('option', { name: 'Banana' }))
    expect(onChange.mock.calls).toEqual([['Banana']])
  })

  it("doesn't open while it's disabled", async () => {
    render(<Field disabled />)
    await userEvent.click(getButton())
    expect(screen.queryByRole('listbox')).toBeNull()
  })
})
