/** A gallery of the components: `npx vite`, then `/dev/components.html`. It isn't part of the product. */

import { Check, CircleAlert, Inbox, MoreHorizontal, Trash2, X } from 'lucide-react'
import { type ReactNode, StrictMode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from '@/api/client'
import { Avatar } from '@/components/avatar'
import { Button, type ButtonProps, IconButton } from '@/components/button'
import { Combobox, SearchableList } from '@/components/combobox'
import { CommandPalette } from '@/components/command-palette'
import { CopyButton, ManualCopy } from '@/components/copy-button'
import { Countdown } from '@/components/countdown'
import { Confirm, Dialog } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import HelpSheet from '@/components/help-sheet'
import { InlineName } from '@/components/inline-name'
import { Input, LabeledField, NativeSelect, TextArea } from '@/components/input'
import { LanguageChooser } from '@/components/language-chooser'
import { LoadingDialog } from '@/components/loading-dialog'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '@/components/menu'
import { OutOfOfficeBadge } from '@/components/out-of-office-badge'
import { PasswordInput } from '@/components/password-input'
import { RelativeTime } from '@/components/relative-time'
import { SearchBox } from '@/components/search-box'
import { Segments } from '@/components/segments'
import { ShortcutKeys } from '@/components/shortcut-keys'
import { Badge, EmptyState, ErrorState, Notice, Spinner, type Tone } from '@/components/status'
import { STEP_STATUS_STYLES } from '@/components/step-status-styles'
import { Switch } from '@/components/switch'
import { type Column, Table } from '@/components/table'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { Toast, Toasts } from '@/components/toast'
import { ToggleChip } from '@/components/toggle-chip'
import { TooltipProvider } from '@/components/tooltip'
import { matchesSearch } from '@/lib/matches-search'
import { onKeyDown } from '@/lib/shortcuts'
import '@/app/theme.css'

document.addEventListener('keydown', onKeyDown)

const KINDS = ['plain', 'primary', 'good', 'bad', 'quiet', 'danger'] as const
const SIZES = ['small', 'medium', 'large'] as const
const ICON_SIZES = ['icon-tiny', 'icon-small', 'icon-medium', 'icon-large'] as const
const STATES: Record<string, ButtonProps> = {
  busy: { busy: true },
  locked: { locked: true },
  disabled: { disabled: true },
}
const TONES: readonly Tone[] = ['plain', 'accent', 'good', 'bad', 'warn']
const LAYOUTS = ['list', 'board'] as const

const HOUR = 3_600_000
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const unreachable = new ApiError(0, { code: 'network' })
const nothing = () => {}
const findNothing = async () => []

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-line border-t pt-4">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

function Buttons() {
  return (
    <Section title="Buttons">
      {SIZES.map(size => (
        <Row key={size}>
          {KINDS.map(kind => (
            <Button key={kind} kind={kind} size={size} icon={<Check />}>
              {kind}
            </Button>
          ))}
          <IconButton label="Delete" size={size} icon={<Trash2 />} />
        </Row>
      ))}
      <Row>
        {Object.entries(STATES).map(([name, state]) => (
          <Button key={name} {...state}>
            {name}
          </Button>
        ))}
        <Button keys="mod+Enter">With a shortcut</Button>
        <CopyButton text="Copied from the gallery" />
        <ShortcutKeys keys="g i" />
        {ICON_SIZES.map(size => (
          <Inbox key={size} className={size} />
        ))}
      </Row>
    </Section>
  )
}

function Fields() {
  const [isOn, setOn] = useState(true)
  const [layout, setLayout] = useState<(typeof LAYOUTS)[number]>('list')
  const [q, setQ] = useState<string | undefined>()
  const [timeZone, setTimeZone] = useState<string | null>(null)
  const search = useRef<HTMLInputElement>(null)
  return (
    <Section title="Fields">
      <div className="grid gap-4 sm:grid-cols-2">
        <LabeledField label="Name" help="Shown to everyone in the workspace.">
          {attributes => <Input {...attributes} defaultValue="Sam" />}
        </LabeledField>
        <LabeledField label="Email" error="Enter an email address.">
          {attributes => <Input {...attributes} defaultValue="sam@" />}
        </LabeledField>
        <LabeledField label="Role">
          {attributes => (
            <NativeSelect {...attributes}>
              <option>Reviewer</option>
              <option>Editor</option>
            </NativeSelect>
          )}
        </LabeledField>
        <LabeledField label="Password">
          {attributes => (
            <PasswordInput {...attributes} autoComplete="new-password" defaultValue="a long one" />
          )}
        </LabeledField>
        <LabeledField label="Time zone">
          {attributes => (
            <TimeZoneSelect
              attributes={attributes}
              value={timeZone}
              onChange={setTimeZone}
              standard="Browser default"
            />
          )}
        </LabeledField>
        <LabeledField label="Notes">{attributes => <TextArea {...attributes} />}</LabeledField>
        <LabeledField label="Disabled">
          {attributes => <Input {...attributes} disabled value="sam@example.com" />}
        </LabeledField>
        <LabeledField label="Disabled choice">
          {attributes => (
            <NativeSelect {...attributes} disabled>
              <option>Owner</option>
            </NativeSelect>
          )}
        </LabeledField>
        <LabeledField label="Read-only">
          {attributes => <Input {...attributes} readOnly value="rev_42" />}
        </LabeledField>
      </div>
      <SearchBox
        label="Search"
        placeholder="Search reviews"
        q={q}
        onSearch={setQ}
        onLeave={nothing}
        input={search}
      />
      <Row>
        <Segments
          label="Layout"
          value={layout}
          onChange={setLayout}
          options={[
            { id: 'list', label: 'List' },
            { id: 'board', label: 'Board', detail: '3' },
          ]}
        />
        {LAYOUTS.map(id => (
          <ToggleChip key={id} chosen={layout === id} onClick={() => setLayout(id)}>
            {id}
          </ToggleChip>
        ))}
        <ToggleChip chosen={false} disabled>
          Disabled
        </ToggleChip>
        <LanguageChooser />
      </Row>
      <Switch checked={isOn} onChange={setOn} label="Daily digest" help="At 9:00 in your time zone." />
      <Switch checked={false} onChange={setOn} label="Disabled" disabled />
      <Switch checked onChange={setOn} label="Disabled, on" disabled />
      <FormError error={unreachable} />
    </Section>
  )
}

function Statuses() {
  return (
    <Section title="Status">
      <Row>
        {TONES.map(tone => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {Object.entries(STEP_STATUS_STYLES).map(([status, { icon, word, color }]) => (
          <span key={status} className={`inline-flex items-center gap-1 ${color}`}>
            {icon} {word}
          </span>
        ))}
        <OutOfOfficeBadge absence={{ from: fromNow(-1), until: fromNow(48), delegate: 'Kim' }} />
        <Avatar name="Sam Rivera" />
        <Spinner />
      </Row>
      <Row>
        <RelativeTime at={fromNow(-3)} />
        <RelativeTime at={fromNow(-3)} short />
        {[48, 2, 0.1].map(hours => (
          <Countdown key={hours} at={fromNow(hours)} action="reject" />
        ))}
      </Row>
      {TONES.map(tone => (
        <Notice key={tone} tone={tone} actions={<Button size="small">Undo</Button>}>
          Notice: {tone}
        </Notice>
      ))}
      <div className="grid sm:grid-cols-2">
        <EmptyState icon={<Inbox />} title="No reviews yet" action={<Button>Create review type</Button>}>
          Requests from your agents show up here.
        </EmptyState>
        <ErrorState title="Couldn't load the review" error={unreachable} onRetry={nothing} />
      </div>
    </Section>
  )
}

const PEOPLE = Array.from({ length: 1_000 }, (_, index) => `Member ${index + 1}`)

function Lists() {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['Member 500'])
  const find = (words: string) => PEOPLE.filter(name => matchesSearch(name, words))
  const items = {
    getId: (name: string) => name,
    renderItem: (name: string) => name,
    empty: 'No matching members',
  }
  return (
    <Section title="Lists">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="flex flex-col gap-1">
          <p id="label-disabled" className="font-medium text-sm">
            Disabled
          </p>
          <Combobox
            {...items}
            attributes={{ id: 'combobox-disabled', 'aria-labelledby': 'label-disabled', disabled: true }}
            label="Disabled"
            text="Member 1"
            placeholder="Choose…"
            getGroups={() => []}
            onChoose={nothing}
          />
        </div>
        <div className="flex flex-col gap-1">
          <p id="label-invalid" className="font-medium text-sm">
            Invalid, without members
          </p>
          <Combobox
            {...items}
            attributes={{ id: 'combobox-invalid', 'aria-labelledby': 'label-invalid', 'aria-invalid': true }}
            label="Invalid"
            text={undefined}
            placeholder="Choose…"
            getGroups={() => []}
            onChoose={nothing}
          />
        </div>
        {[false, true].map(multiple => (
          <div key={String(multiple)} className="flex flex-col gap-1">
            <p id={`label-${multiple}`} className="font-medium text-sm">
              {multiple ? 'Reviewers' : 'Delegate'}
            </p>
            <Combobox
              {...items}
              attributes={{ id: `combobox-${multiple}`, 'aria-labelledby': `label-${multiple}` }}
              label={multiple ? 'Reviewers' : 'Delegate'}
              text={multiple ? undefined : chosen[0]}
              placeholder="Choose…"
              getGroups={words => [{ items: find(words) }]}
              chosen={chosen}
              multiple={multiple}
              onChoose={name =>
                setChosen(
                  !multiple
                    ? [name]
                    : chosen.includes(name)
                      ? chosen.filter(each => each !== name)
                      : [...chosen, name],
                )
              }
            />
          </div>
        ))}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <div>
          <SearchableList
            {...items}
            size="dialog"
            label="Add reviewers"
            placeholder="Name"
            search={search}
            onSearch={setSearch}
            groups={[
              { heading: 'On duty', items: find(search).slice(0, 2) },
              { heading: 'Everyone else', items: find(search).slice(2) },
            ]}
            onChoose={nothing}
          />
        </div>
        <div>
          <SearchableList
            {...items}
            size="palette"
            label="Loading"
            placeholder="Loading"
            search=""
            onSearch={nothing}
            groups={[]}
            onChoose={nothing}
            isLoading
          />
        </div>
      </div>
    </Section>
  )
}

const COLUMNS: readonly Column[] = [
  { label: 'Name' },
  { label: 'Role', className: 'max-md:hidden' },
  { label: 'Reviews', className: 'text-end' },
  { label: 'Actions', isLabelHidden: true },
]

const tableRows = (count: number) =>
  Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
    <tr key={row}>
      <th scope="row">
        Member {row + 1}
        <span className="text-muted text-sm md:hidden"> · Reviewer</span>
      </th>
      <td className="max-md:hidden">Reviewer</td>
      <td className="text-end">{row * 7}</td>
      <td className="text-end">
        <Button size="small">Remove</Button>
      </td>
    </tr>
  ))

function Tables() {
  return (
    <Section title="Tables">
      <Table label="Members" columns={COLUMNS}>
        {tableRows(2)}
      </Table>
      <Table label="Members, in a box" columns={COLUMNS} boxed>
        {tableRows(12)}
      </Table>
    </Section>
  )
}

function ToastStack() {
  const [count, setCount] = useState(0)
  const [isRefused, setRefused] = useState(false)
  return (
    <Section title="Toasts">
      <Row>
        <Button onClick={() => setCount(count + 1)}>Show toast</Button>
        <Button onClick={() => setRefused(!isRefused)}>Show error</Button>
      </Row>
      <Toasts>
        {isRefused && (
          <Toast
            role="alert"
            icon={<CircleAlert className="shrink-0 text-bad" />}
            actions={
              <IconButton label="Dismiss" size="small" icon={<X />} onClick={() => setRefused(false)} />
            }
          >
            <p className="font-medium">Couldn't approve “Autumn campaign”</p>
            <p className="text-muted text-sm">Sam rejected it first.</p>
          </Toast>
        )}
        {Array.from({ length: count }, (_, index) => (
          <Toast
            // biome-ignore lint/suspicious/noArrayIndexKey: they're all the same.
            key={index}
            icon={<Check className="shrink-0 text-good" />}
            actions={
              <Button kind="quiet" size="small" keys="z" onClick={() => setCount(count - 1)}>
                Undo
              </Button>
            }
          >
            <p className="truncate">Approved “A campaign with a name that doesn't fit into one line”</p>
          </Toast>
        ))}
      </Toasts>
    </Section>
  )
}

const LAYERS = ['dialog', 'firm dialog', 'confirmation', 'loading dialog', 'palette', 'shortcuts'] as const

function Layers() {
  const [opened, setOpened] = useState<(typeof LAYERS)[number] | null>(null)
  const [layout, setLayout] = useState<(typeof LAYOUTS)[number]>('list')
  const close = () => setOpened(null)
  const naming = {
    mutate: (_: string, on: { onSuccess: () => void }) => on.onSuccess(),
    isPending: false,
    error: null,
  }
  return (
    <Section title="Dialogs and menus">
      <Row>
        {LAYERS.map(layer => (
          <Button key={layer} onClick={() => setOpened(layer)}>
            Open {layer}
          </Button>
        ))}
        <Menu trigger={<IconButton label="More" icon={<MoreHorizontal />} />}>
          <MenuLabel>Layout</MenuLabel>
          <MenuChoice value={layout} onChange={setLayout} options={LAYOUTS.map(id => ({ id, label: id }))} />
          <MenuSeparator />
          <MenuItem icon={<Inbox />} disabled onSelect={nothing}>
            Move
          </MenuItem>
          <MenuItem icon={<Trash2 />} keys="Backspace" danger onSelect={nothing}>
            Delete
          </MenuItem>
        </Menu>
        <InlineName
          title="Autumn campaign"
          name="Autumn campaign"
          label="Rename"
          fieldLabel="Name"
          mayName
          naming={naming}
        />
      </Row>
      <Dialog
        open={opened === 'dialog' || opened === 'firm dialog'}
        firm={opened === 'firm dialog'}
        onClose={close}
        title="Invite a member"
        description="They get an email with a link."
        actions={<Button kind="primary">Send invite</Button>}
      >
        <LabeledField label="Email">{attributes => <Input {...attributes} type="email" />}</LabeledField>
      </Dialog>
      <Confirm
        open={opened === 'confirmation'}
        onClose={close}
        title="Delete this review?"
        confirm="Delete review"
        onConfirm={close}
      >
        Its result and its files are deleted too.
      </Confirm>
      {opened === 'loading dialog' && <LoadingDialog title="Reviewers" onClose={close} />}
      {opened === 'shortcuts' && <HelpSheet onClose={close} isSwitchedOff={false} />}
      {opened === 'palette' && (
        <CommandPalette
          onClose={close}
          groups={[
            {
              heading: 'Actions',
              items: [{ id: 'approve', label: 'Approve', keys: 'a', icon: <Check />, run: nothing }],
            },
            { heading: 'Go to', items: [{ id: 'inbox', label: 'Inbox', icon: <Inbox />, run: nothing }] },
          ]}
          find={findNothing}
          foundHeading="Reviews and chats"
        />
      )}
    </Section>
  )
}

function Gallery() {
  const [isDark, setDark] = useState(false)
  const [isRightToLeft, setRightToLeft] = useState(false)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr'
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-6 p-4">
      <Row>
        <h1 className="flex-1 font-semibold text-lg">Components</h1>
        <Button onClick={() => setDark(!isDark)}>{isDark ? 'Light' : 'Dark'}</Button>
        <Button onClick={() => setRightToLeft(!isRightToLeft)}>
          {isRightToLeft ? 'Left to right' : 'Right to left'}
        </Button>
      </Row>
      <Buttons />
      <Fields />
      <Statuses />
      <Lists />
      <Tables />
      <Layers />
      <ToastStack />
      <ManualCopy />
    </main>
  )
}

const place = document.getElementById('app')
if (place)
  createRoot(place).render(
    <StrictMode>
      <TooltipProvider>
        <Gallery />
      </TooltipProvider>
    </StrictMode>,
  )
