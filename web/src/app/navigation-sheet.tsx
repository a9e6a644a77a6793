import { t } from '@lingui/core/macro'
import { Dialog } from 'radix-ui'
import { createContext, type ReactNode, useContext } from 'react'

const Context = createContext<() => void>(() => undefined)

/** Opens the navigation on screens that are too narrow for a sidebar. */
export const useOpenNavigation = () => useContext(Context)

export const OpenNavigationProvider = Context.Provider

/** The navigation as a drawer over the page. */
export function NavigationSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog.Root open onOpenChange={stays => !stays && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 start-0 z-40 flex w-[min(20rem,86vw)] flex-col bg-sunken shadow-float outline-none lg:hidden"
        >
          <Dialog.Title className="sr-only">{t`Navigation`}</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
