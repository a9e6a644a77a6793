import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { isWebAddress } from '../shapes/texts'

/** A link to somewhere else, opened beside the page. What is no web address is only text. */
export function WebLink({
  address,
  children,
  className,
}: {
  address: string
  children?: ReactNode
  className?: string
}) {
  if (!isWebAddress(address)) return <span className="[overflow-wrap:anywhere]">{children ?? address}</span>
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className={classes(
        'text-accent underline decoration-accent/40 underline-offset-2 [overflow-wrap:anywhere] hover:decoration-accent',
        className,
      )}
    >
      {children ?? address}
      <ExternalLink size={12} aria-hidden="true" className="ms-1 inline align-baseline" />
      <span className="sr-only"> {t`(opens in a new tab)`}</span>
    </a>
  )
}
