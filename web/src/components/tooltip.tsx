import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { ShortcutKeys } from './shortcut-keys'

export const TooltipProvider = Radix.Provider

export function Tooltip({ label, keys, children }: { label: ReactNode; keys?: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-xs items-center gap-2 rounded-md bg-ink px-2 py-1 text-canvas text-sm shadow-float"
        >
          {label}
          {keys !== undefined && <ShortcutKeys keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
