import type { ReactNode } from 'react'

/** Where all toasts of a page are stacked: at the bottom, above the actions of the open review. Mount it once. */
export const Toasts = ({ children }: { children: ReactNode }) => (
  <div className="pointer-events-none fixed inset-x-0 bottom-[calc(4.75rem+env(safe-area-inset-bottom))] z-30 mx-auto flex w-[min(26rem,calc(100%-1.5rem))] flex-col gap-2 max-md:bottom-[calc(7.5rem+env(safe-area-inset-bottom))]">
    {children}
  </div>
)

/**
 * A message over the page, with its actions. It stays for as long as it's rendered. Render a `status` in an element
 * that's always there, or screen readers miss it.
 */
export function Toast({
  role,
  icon,
  children,
  actions,
}: {
  role?: 'alert'
  icon?: ReactNode
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <div
      role={role}
      className="pointer-events-auto flex min-h-11 items-center gap-2 rounded-lg bg-raised py-1.5 ps-3 pe-1.5 shadow-float"
    >
      {icon}
      <div dir="auto" className="min-w-0 flex-1">
        {children}
      </div>
      {actions}
    </div>
  )
}
