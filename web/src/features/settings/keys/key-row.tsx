import { useState } from 'react'
import { type Key, useRevokeKey } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Badge } from '@/components/status'
import { Time } from '@/components/time'
import { CELL } from '../table'

export function KeyRow({ apiKey }: { apiKey: Key }) {
  const [asking, setAsking] = useState(false)
  const revoke = useRevokeKey()
  const scopes = apiKey.scopes.map(scope => (
    <Badge key={scope} tone={scope === 'manage' ? 'warn' : 'plain'}>
      {scope}
    </Badge>
  ))
  const lastUsed = apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} /> : 'Never used'
  return (
    <tr>
      <td className={CELL}>
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{apiKey.name}</span>
          {apiKey.status !== 'active' && <Badge>{apiKey.status}</Badge>}
        </p>
        <p className="font-mono text-muted text-xs">{apiKey.hint}</p>
        <div className="mt-1 flex flex-col gap-1 text-muted text-sm md:hidden">
          <span className="flex flex-wrap gap-1">{scopes}</span>
          <span>
            {lastUsed} · {ends(apiKey)}
          </span>
        </div>
      </td>
      <td className={`${CELL} max-md:hidden`}>
        <span className="flex flex-wrap gap-1">{scopes}</span>
      </td>
      <td className={`${CELL} whitespace-nowrap text-muted max-md:hidden`}>{lastUsed}</td>
      <td className={`${CELL} whitespace-nowrap text-muted max-md:hidden`}>{ends(apiKey)}</td>
      <td className={`${CELL} text-right`}>
        {apiKey.status === 'active' && (
          <Button
            size="small"
            kind="danger"
            className="max-md:h-11"
            aria-label={`Revoke ${apiKey.name}`}
            onClick={() => setAsking(true)}
          >
            Revoke
          </Button>
        )}
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          title={`Revoke the key ${apiKey.name}?`}
          confirm="Revoke"
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(apiKey.keyId, { onSuccess: () => setAsking(false) })}
        >
          <FormFault error={revoke.error} />
          <p>
            Whatever calls with <code className="font-mono text-sm">{apiKey.hint}</code> is refused within
            seconds. This cannot be taken back.{' '}
            {apiKey.lastUsedAt ? (
              <>
                It was last used <Time at={apiKey.lastUsedAt} />.
              </>
            ) : (
              'It was never used.'
            )}
          </p>
        </Confirm>
      </td>
    </tr>
  )
}

function ends(apiKey: Key) {
  if (apiKey.revokedAt)
    return (
      <>
        Revoked <Time at={apiKey.revokedAt} />
      </>
    )
  return apiKey.expiresAt ? <Time at={apiKey.expiresAt} /> : 'Never'
}
