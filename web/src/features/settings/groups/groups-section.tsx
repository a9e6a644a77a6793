import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useMay } from '@/api/session'
import { type Group, groupsQuery, useDeleteGroup } from '@/api/settings/groups'
import { Avatar } from '@/components/avatar'
import { Button, IconButton } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { FormFault } from '@/components/form-fault'
import { Empty, Failure, Spinner } from '@/components/status'
import { SectionFrame } from '../section'
import { GroupDialog } from './group-dialog'

export default function GroupsSection() {
  const administers = useMay('administer')
  const groups = useQuery(groupsQuery)
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  const add = administers && (
    <Button kind="primary" icon={<Plus size={15} />} onClick={() => setEdited('new')} className="max-md:h-11">
      New group
    </Button>
  )
  return (
    <SectionFrame
      title="Groups"
      about="Reviews can be assigned to a group: any of its members may decide them."
      actions={add}
    >
      {groups.isPending && <Spinner />}
      {groups.isError && <Failure error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.data?.length === 0 && (
        <Empty icon={<UsersRound size={28} />} title="No groups yet">
          For example the people who look at everything that is published.
        </Empty>
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

const SHOWN = 8

function GroupRow({ group, onEdit }: { group: Group; onEdit?: () => void }) {
  const [asking, setAsking] = useState(false)
  const remove = useDeleteGroup()
  const names = group.members.map(member => member.name).join(', ')
  return (
    <li className="border-line border-b py-3">
      <div className="flex items-center gap-4">
        <div className="min-w-0 flex-1">
          <p className="font-medium [overflow-wrap:anywhere]">{group.name}</p>
          <p className="text-muted text-sm">
            {group.members.length === 0 && 'Nobody is in it yet'}
            {group.members.length === 1 && 'One member'}
            {group.members.length > 1 && `${group.members.length} members`}
          </p>
        </div>
        <div className="-space-x-1.5 flex items-center max-sm:hidden" title={names}>
          <span className="sr-only">{names}</span>
          {group.members.slice(0, SHOWN).map(member => (
            <Avatar key={member.userId} name={member.name} className="ring-2 ring-canvas" />
          ))}
          {group.members.length > SHOWN && (
            <span aria-hidden="true" className="pl-3 text-muted text-sm">
              +{group.members.length - SHOWN}
            </span>
          )}
        </div>
        {onEdit && (
          <div className="flex">
            <IconButton
              label={`Edit ${group.name}`}
              icon={<Pencil size={15} />}
              onClick={onEdit}
              className="max-md:h-11 max-md:w-11"
            />
            <IconButton
              label={`Delete ${group.name}`}
              icon={<Trash2 size={15} />}
              onClick={() => setAsking(true)}
              className="max-md:h-11 max-md:w-11"
            />
          </div>
        )}
      </div>
      {remove.error && (
        <div className="pt-2">
          <FormFault error={remove.error} />
        </div>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete the group ${group.name}?`}
        confirm="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(group.groupId, { onSettled: () => setAsking(false) })}
      >
        Its members stay. It cannot be deleted while pending reviews are assigned to it.
      </Confirm>
    </li>
  )
}
