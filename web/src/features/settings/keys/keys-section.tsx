import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Key, keysQuery } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { Table } from '@/components/table'
import { SectionFrame } from '../section'
import { KeyRow } from './key-row'
import { NewKeyDialog } from './new-key-dialog'

export default function KeysSection() {
  const keys = useQuery(keysQuery)
  const [adding, setAdding] = useState(false)
  const create = (
    <Button kind="primary" icon={<Plus />} onClick={() => setAdding(true)}>
      {t`Create key`}
    </Button>
  )
  const hasActive = keys.data?.some(key => key.status === 'active')
  return (
    <SectionFrame
      title={t`API keys`}
      about={t`Agents and other programs use keys to call the API. Keys can't decide reviews; only people can.`}
      // An empty list has the button itself.
      actions={hasActive === false ? undefined : create}
    >
      {keys.isPending && <Spinner />}
      {keys.isError && (
        <ErrorState title={t`Couldn't load API keys`} error={keys.error} onRetry={() => keys.refetch()} />
      )}
      {keys.data && <KeyLists keys={keys.data} create={create} />}
      <NewKeyDialog open={adding} onClose={() => setAdding(false)} />
    </SectionFrame>
  )
}

/** Active keys first; revoked and expired ones are collapsed. */
function KeyLists({ keys, create }: { keys: readonly Key[]; create: ReactNode }) {
  const active = keys.filter(key => key.status === 'active')
  const ended = keys.filter(key => key.status !== 'active').reverse()
  return (
    <>
      {active.length === 0 ? (
        <EmptyState icon={<KeyRound />} title={t`No active keys`} action={create}>
          {t`Create a separate key for each program so you can revoke them individually.`}
        </EmptyState>
      ) : (
        <KeyTable label={t`API keys`} keys={active} />
      )}
      {ended.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">
            {plural(
              { count: ended.length },
              { one: '# revoked or expired key', other: '# revoked or expired keys' },
            )}
          </summary>
          <div className="mt-2">
            <KeyTable label={t`Revoked and expired keys`} keys={ended} />
          </div>
        </details>
      )}
    </>
  )
}

function KeyTable({ label, keys }: { label: string; keys: readonly Key[] }) {
  return (
    <Table
      label={label}
      columns={[
        { label: t`Name` },
        { label: t`Scopes`, className: 'max-md:hidden' },
        { label: t`Last used`, className: 'max-md:hidden' },
        { label: t`Expires`, className: 'max-md:hidden' },
        { label: t`Actions`, isLabelHidden: true },
      ]}
    >
      {keys.map(key => (
        <KeyRow key={key.keyId} apiKey={key} />
      ))}
    </Table>
  )
}
