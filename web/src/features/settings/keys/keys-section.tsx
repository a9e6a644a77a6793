import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Key, keysQuery } from '@/api/settings/keys'
import { Button } from '@/components/button'
import { Empty, Failure, Spinner } from '@/components/status'
import { SectionFrame } from '../section'
import { HEAD, TABLE, TableFrame } from '../table'
import { KeyRow } from './key-row'
import { NewKeyDialog } from './new-key-dialog'

export default function KeysSection() {
  const keys = useQuery(keysQuery)
  const [adding, setAdding] = useState(false)
  return (
    <SectionFrame
      title="API keys"
      about="What agents and other programs call the API with. No key can decide a review: only people do."
      actions={
        <Button
          kind="primary"
          icon={<Plus size={15} />}
          onClick={() => setAdding(true)}
          className="max-md:h-11"
        >
          New key
        </Button>
      }
    >
      {keys.isPending && <Spinner />}
      {keys.isError && <Failure error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.data && <KeyLists keys={keys.data} />}
      <NewKeyDialog open={adding} onClose={() => setAdding(false)} />
    </SectionFrame>
  )
}

/** Those that work first; those that no longer do behind a click. */
function KeyLists({ keys }: { keys: readonly Key[] }) {
  const active = keys.filter(key => key.status === 'active')
  const ended = keys.filter(key => key.status !== 'active').reverse()
  return (
    <>
      {active.length === 0 ? (
        <Empty icon={<KeyRound size={28} />} title="No key works at present">
          Make one for each program, so that each can be revoked by itself.
        </Empty>
      ) : (
        <KeyTable label="API keys" keys={active} />
      )}
      {ended.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-muted hover:text-ink">
            {ended.length} revoked or expired
          </summary>
          <div className="mt-2">
            <KeyTable label="Revoked and expired keys" keys={ended} />
          </div>
        </details>
      )}
    </>
  )
}

function KeyTable({ label, keys }: { label: string; keys: readonly Key[] }) {
  return (
    <TableFrame label={label}>
      <table className={TABLE}>
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              Name
            </th>
            <th scope="col" className={`${HEAD} max-md:hidden`}>
              Scopes
            </th>
            <th scope="col" className={`${HEAD} max-md:hidden`}>
              Last used
            </th>
            <th scope="col" className={`${HEAD} max-md:hidden`}>
              Ends
            </th>
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(key => (
            <KeyRow key={key.keyId} apiKey={key} />
          ))}
        </tbody>
      </table>
    </TableFrame>
  )
}
