import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { ShortcutKeys } from './shortcut-keys'

/** A menu that opens from a button. */
export function Menu({
  trigger,
  children,
  align = 'end',
  open,
  onOpenChange,
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'end'
  /** For a menu that something other than its button opens as well. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 overflow-y-auto rounded-lg bg-raised p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type ItemProps = {
  children: ReactNode
  icon?: ReactNode
  keys?: string
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
}

const ITEM =
  'flex w-full select-none items-center gap-2 rounded-md px-2 py-1.5 outline-none data-[highlighted]:bg-selected data-[disabled]:opacity-50 pointer-coarse:min-h-11'

export function MenuItem({ children, icon, keys, onSelect, danger, disabled }: ItemProps) {
  return (
    <Radix.Item disabled={disabled} onSelect={onSelect} className={classes(ITEM, danger && 'text-bad')}>
      {icon !== undefined && <span className="text-muted">{icon}</span>}
      <span className="flex-1">{children}</span>
      {keys !== undefined && <ShortcutKeys keys={keys} className="text-muted" />}
    </Radix.Item>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-muted text-xs">{children}</Radix.Label>
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}

export function MenuChoice<T extends string>({
  value,
  onChange,
  options,
}: {
  value: T
  onChange: (value: T) => void
  options: readonly { id: T; label: string }[]
}) {
  return (
    <Radix.RadioGroup value={value} onValueChange={chosen => onChange(chosen as T)}>
      {options.map(option => (
        <Radix.RadioItem key={option.id} value={option.id} className={ITEM}>
          <span className="w-4">
            <Radix.ItemIndicator>✓</Radix.ItemIndicator>
          </span>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
