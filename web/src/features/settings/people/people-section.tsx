import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useMay, useMe } from '@/api/session'
import { peopleQuery } from '@/api/settings/people'
import { Button } from '@/components/button'
import { Input } from '@/components/input'
import { ErrorState, Spinner } from '@/components/status'
import { Table } from '@/components/table'
import { matchesSearch } from '@/lib/matches-search'
import { SectionFrame } from '../section'
import { InviteDialog } from './invite-dialog'
import { PersonRow } from './person-row'
import { getRoleLabel, RoleDescription } from './roles'

export default function PeopleSection() {
  const me = useMe()
  const administers = useMay('administer')
  const people = useQuery(peopleQuery)
  const [inviting, setInviting] = useState(false)
  const [words, setWords] = useState('')
  const shown = people.data?.filter(person =>
    matchesSearch(`${person.name} ${person.email} ${getRoleLabel(person.role)}`, words),
  )
  return (
    <SectionFrame
      title={t`Members`}
      about={
        administers
          ? t`Manage who has access to this workspace and what they can do.`
          : t`Who has access to this workspace.`
      }
      actions={
        administers && (
          <Button kind="primary" icon={<UserPlus />} onClick={() => setInviting(true)}>
            {t`Invite member`}
          </Button>
        )
      }
    >
      {people.isPending && <Spinner />}
      {people.isError && (
        <ErrorState title={t`Couldn't load members`} error={people.error} onRetry={() => people.refetch()} />
      )}
      {people.data && (
        <div>
          {people.data.length > 8 && (
            <Input
              type="search"
              aria-label={t`Search members`}
              placeholder={t`Search by name, email, or role`}
              value={words}
              onChange={event => setWords(event.target.value)}
              className="mb-3 max-w-xs"
            />
          )}
          <Table
            label={t`Members`}
            columns={[
              { label: t`Name` },
              { label: t`Role` },
              { label: t`Last sign-in`, className: 'max-md:hidden' },
              { label: t`Actions`, isLabelHidden: true },
            ]}
          >
            {shown?.map(person => (
              <PersonRow key={person.userId} person={person} me={me} administers={administers} />
            ))}
          </Table>
          {shown?.length === 0 && <p className="py-6 text-muted">{t`No members match your search`}</p>}
        </div>
      )}
      <RoleDescription />
      <InviteDialog open={inviting} onClose={() => setInviting(false)} mayMakeOwners={me.role === 'owner'} />
    </SectionFrame>
  )
}
