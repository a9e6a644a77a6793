import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type Key, useRevokeKey } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { RelativeTime } from '@/components/relative-time'
import { Badge } from '@/components/status'

export function KeyRow({ apiKey }: { apiKey: Key }) {
  const [asking, setAsking] = useState(false)
  const revoke = useRevokeKey()
  const hint = <code className="font-mono text-sm">{apiKey.hint}</code>
  const scopes = apiKey.scopes.map(scope => (
    <Badge key={scope} tone={scope === 'manage' ? 'warn' : 'plain'}>
      {scope}
    </Badge>
  ))
  const lastUsed = apiKey.lastUsedAt ? <RelativeTime at={apiKey.lastUsedAt} /> : t`Never used`
  return (
    <tr>
      <td>
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {apiKey.name}
          </span>
          {apiKey.status === 'revoked' && <Badge>{t`Revoked`}</Badge>}
          {apiKey.status === 'expired' && <Badge>{t`Expired`}</Badge>}
        </p>
        <p className="font-mono text-muted text-xs">{apiKey.hint}</p>
        <div className="mt-1 flex flex-col gap-1 text-muted text-sm md:hidden">
          <span className="flex flex-wrap gap-1">{scopes}</span>
          {/* Without column headings, each part says what it is. */}
          <span>
            {apiKey.lastUsedAt ? (
              <Trans>
                Last used <RelativeTime at={apiKey.lastUsedAt} />
              </Trans>
            ) : (
              t`Never used`
            )}{' '}
            · <Expiration apiKey={apiKey} />
          </span>
        </div>
      </td>
      <td className="max-md:hidden">
        <span className="flex flex-wrap gap-1">{scopes}</span>
      </td>
      <td className="whitespace-nowrap text-muted max-md:hidden">{lastUsed}</td>
      <td className="whitespace-nowrap text-muted max-md:hidden">{getExpirationText(apiKey)}</td>
      <td className="text-end">
        {apiKey.status === 'active' && (
          <Button
            size="small"
            kind="danger"
            aria-label={t`Revoke ${{ name: apiKey.name }}`}
            onClick={() => setAsking(true)}
          >
            {t`Revoke`}
          </Button>
        )}
        <Confirm
          open={asking}
          onClose={() => setAsking(false)}
          title={t`Revoke ${{ name: apiKey.name }}?`}
          confirm={t`Revoke`}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate(apiKey.keyId, { onSuccess: () => setAsking(false) })}
        >
          <FormError error={revoke.error} />
          <p>
            {apiKey.lastUsedAt ? (
              <Trans>
                Requests with {hint} stop working within seconds. You can't undo this. Last used{' '}
                <RelativeTime at={apiKey.lastUsedAt} />.
              </Trans>
            ) : (
              <Trans>
                Requests with {hint} stop working within seconds. You can't undo this. This key was never
                used.
              </Trans>
            )}
          </p>
        </Confirm>
      </td>
    </tr>
  )
}

function Expiration({ apiKey }: { apiKey: Key }) {
  const { revokedAt, expiresAt, status } = apiKey
  if (revokedAt)
    return (
      <Trans>
        Revoked <RelativeTime at={revokedAt} />
      </Trans>
    )
  if (!expiresAt) return t`Never expires`
  return status === 'expired' ? (
    <Trans>
      Expired <RelativeTime at={expiresAt} />
    </Trans>
  ) : (
    <Trans>
      Expires <RelativeTime at={expiresAt} />
    </Trans>
  )
}

function getExpirationText(apiKey: Key) {
  if (apiKey.revokedAt)
    return (
      <Trans>
        Revoked <RelativeTime at={apiKey.revokedAt} />
      </Trans>
    )
  return apiKey.expiresAt ? (
    <RelativeTime at={apiKey.expiresAt} />
  ) : (
    t({ message: 'Never', context: 'when an API key expires' })
  )
}
