import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { type Group, groupsQuery, useDeleteGroup } from '@/api/settings/groups'
import { Avatar } from '@/components/avatar'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormError } from '@/components/form-error'
import { EmptyState, ErrorState, Spinner } from '@/components/status'
import { formatList, formatNumber } from '@/lib/i18n'
import { SectionFrame } from '../section'
import { GroupDialog } from './group-dialog'

export default function GroupsSection() {
  const administers = useMay('administer')
  const groups = useQuery(groupsQuery)
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  const add = administers && (
    <Button kind="primary" icon={<Plus />} onClick={() => setEdited('new')}>
      {t`Create group`}
    </Button>
  )
  return (
    <SectionFrame
      title={t`Groups`}
      about={t`Assign reviews to a group so any of its members can decide them.`}
      // An empty list has the button itself.
      actions={groups.data?.length === 0 ? undefined : add}
    >
      {groups.isPending && <Spinner />}
      {groups.isError && (
        <ErrorState title={t`Couldn't load groups`} error={groups.error} onRetry={() => groups.refetch()} />
      )}
      {groups.data?.length === 0 && (
        <EmptyState icon={<UsersRound />} title={t`No groups yet`} action={add || undefined}>
          {t`For example, a Legal group that reviews everything before it's published.`}
        </EmptyState>
      )}
      {groups.data && groups.data.length > 0 && (
        <ul className="border-line border-t">
          {groups.data.map(group => (
            <GroupRow
              key={group.groupId}
              group={group}
              onEdit={administers ? () => setEdited(group) : undefined}
            />
          ))}
        </ul>
      )}
      {edited !== null && (
        <GroupDialog
          key={edited === 'new' ? 'new' : edited.groupId}
          group={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </SectionFrame>
  )
}

const MAX_SHOWN = 8

function GroupRow({ group, onEdit }: { group: Group; onEdit?: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useDeleteGroup()
  const names = formatList(group.members.map(member => member.name))
  return (
    <li className="border-line border-b py-3">
      <div className="flex items-center gap-4">
        <div className="min-w-0 flex-1">
          <p dir="auto" className="font-medium [overflow-wrap:anywhere]">
            {group.name}
          </p>
          <p className="text-muted text-sm">
            {plural(
              { count: group.members.length },
              { 0: 'No members yet', one: '# member', other: '# members' },
            )}
          </p>
        </div>
        <div className="-space-x-1.5 flex items-center max-sm:hidden" title={names}>
          <span className="sr-only">{names}</span>
          {group.members.slice(0, MAX_SHOWN).map(member => (
            <Avatar key={member.userId} name={member.name} className="ring-2 ring-canvas" />
          ))}
          {group.members.length > MAX_SHOWN && (
            <span aria-hidden="true" className="ps-3 text-muted text-sm">
              {formatNumber(group.members.length - MAX_SHOWN, { signDisplay: 'always' })}
            </span>
          )}
        </div>
        {onEdit && (
          <div className="flex">
            <IconButton
              label={t`Edit ${{ name: group.name }}`}
              icon={<Pencil />}
              onClick={onEdit}
              className=""
            />
            <IconButton
              label={t`Delete ${{ name: group.name }}`}
              icon={<Trash2 />}
              onClick={() => setAsking(true)}
              className=""
            />
          </div>
        )}
      </div>
      <Confirm
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={t`Delete ${{ name: group.name }}?`}
        confirm={t`Delete`}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(group.groupId, { onSuccess: () => setAsking(false) })}
      >
        <FormError error={remove.error} />
        <p className="mt-2 first:mt-0">
          {t`Members keep their access to the workspace. You can't delete a group that has pending reviews: reassign or decide them first.`}
        </p>
      </Confirm>
    </li>
  )
}
