import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { isWebAddress } from '../value-types/texts'

/** An external link, opened in a new tab. Anything that isn't a web URL is plain text. */
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
      <ExternalLink className="icon-tiny ms-1 inline align-baseline" />
      <span className="sr-only"> {t`(opens in a new tab)`}</span>
    </a>
  )
}
