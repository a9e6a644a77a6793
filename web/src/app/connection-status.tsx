import { t } from '@lingui/core/macro'
import { WifiOff } from 'lucide-react'
import { useConnectionState } from '@/api/live'

/** Says when live updates are interrupted. Renders nothing while they arrive. */
export function ConnectionStatus({ isNarrow = false }: { isNarrow?: boolean }) {
  const isOffline = useConnectionState() === 'offline'
  return (
    <div
      role="status"
      className={isOffline ? 'flex items-center gap-2 px-2 py-1 text-sm text-warn' : 'sr-only'}
    >
      {isOffline && (
        <>
          <WifiOff className="icon-small shrink-0" />
          <span className={isNarrow ? 'sr-only' : undefined}>{t`Connection lost. Reconnecting…`}</span>
        </>
      )}
    </div>
  )
}
