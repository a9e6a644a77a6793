import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button } from '@/components/button'
import { Input, Labelled, NativeSelect, TextArea } from '@/components/input'
import { Switch } from '@/components/switch'
import type { DefaultReviewers, EditorDocument, Unmapped } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { memberFault } from '../editor/issues'
import { PublicLink } from './public-link'
import { TimeLimitsEditor } from './time-limits'

const UNMAPPED_HELP: Record<Unmapped, string> = {
  show: 'Reviewers see them under "Also sent", and Approve counts them. They are returned with the decision.',
  hide: "Reviewers don't see them. They are returned with the decision all the same.",
  reject: 'A request with such values fails with an error that names them.',
}

/** Who decides when a request names nobody, and what happens around a decision. */
export default function BehaviourPanel() {
  const { document, apply, checked } = useEditor()
  const set = (part: Partial<EditorDocument>, about?: string) =>
    apply(before => ({ ...before, ...part }), about)
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-6">
      <Part title="For agents">
        <Labelled
          label="Description"
          help="What this review type is for and when to use it. Agents read it to choose a review type. Reviewers don't see it."
          error={memberFault(checked.issues, 'description')}
        >
          {ties => (
            <TextArea
              {...ties}
              maxLength={2000}
              placeholder="Use it before a refund over $100 is paid out."
              value={document.description ?? ''}
              onChange={event => set({ description: event.target.value || null }, 'description')}
            />
          )}
        </Labelled>
      </Part>
      <Part
        title="Default reviewers"
        about="For requests that name nobody. Without any, everybody sees the review."
      >
        <Reviewers
          chosen={document.defaultReviewers}
          fault={memberFault(checked.issues, 'defaultReviewers')}
          onChange={defaultReviewers => set({ defaultReviewers })}
        />
        <Switch
          checked={document.allowExternalReviewers}
          onChange={allowExternalReviewers => set({ allowExternalReviewers })}
          label="Allow external reviewers"
          help="People without an account can be asked to review with a link. Turn this off if only members may decide."
        />
      </Part>
      <Part title="Decisions">
        <Switch
          checked={document.allowRetry}
          onChange={allowRetry => set({ allowRetry })}
          label="Reviewers may ask for another try"
          help="They write what should be different, and the agent replaces the content."
        />
        <Switch
          checked={document.decideFromChat}
          onChange={decideFromChat => set({ decideFromChat })}
          label="Approve and reject from Slack"
          help="Slack messages get buttons if they show the whole review and it can be approved as it is. The same people can decide as in the inbox."
        />
        <Switch
          checked={document.autoApprove}
          onChange={autoApprove => set({ autoApprove })}
          label="Approve everything at once"
          help="Every review is approved as it comes, without anybody looking. It is kept, and the agent hears of it."
        />
        <Switch
          checked={document.trigger}
          onChange={trigger => set({ trigger })}
          label="Trigger form"
          help="People fill it in to start a workflow. It is submitted, neither approved nor rejected."
        />
        <PublicLink />
      </Part>
      <Part title="Values without a field">
        <Labelled
          label="When a request sends them"
          help={UNMAPPED_HELP[document.unmapped]}
          error={memberFault(checked.issues, 'unmapped')}
        >
          {ties => (
            <NativeSelect
              {...ties}
              className="max-w-xs"
              value={document.unmapped}
              onChange={event => set({ unmapped: event.target.value as Unmapped })}
            >
              <option value="show">Show them below the fields</option>
              <option value="hide">Hide them</option>
              <option value="reject">Reject the request</option>
            </NativeSelect>
          )}
        </Labelled>
      </Part>
      <Part title="Time limits">
        <TimeLimitsEditor />
      </Part>
      <Part title="Webhooks">
        <Address
          label="Webhook of its own"
          help="Results go there rather than to the agent's webhook."
          value={document.webhookUrl}
          fault={memberFault(checked.issues, 'webhookUrl')}
          onChange={webhookUrl => set({ webhookUrl }, 'webhookUrl')}
        />
        <Address
          label="Tool webhook"
          help="Called first, for approved reviews only: it does the thing that was approved."
          value={document.toolWebhookUrl}
          fault={memberFault(checked.issues, 'toolWebhookUrl')}
          onChange={toolWebhookUrl => set({ toolWebhookUrl }, 'toolWebhookUrl')}
        />
      </Part>
    </div>
  )
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 border-line border-t pt-5 first:border-t-0 first:pt-0">
      <div>
        <h2 className="font-semibold">{title}</h2>
        {about && <p className="text-muted text-sm">{about}</p>}
      </div>
      {children}
    </section>
  )
}

function Address({
  label,
  help,
  value,
  fault,
  onChange,
}: {
  label: string
  help: string
  value: string | null
  fault: string | null
  onChange: (value: string | null) => void
}) {
  return (
    <Labelled label={label} help={help} error={fault}>
      {ties => (
        <Input
          {...ties}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={value ?? ''}
          onChange={event => onChange(event.target.value || null)}
        />
      )}
    </Labelled>
  )
}

function Reviewers({
  chosen,
  fault,
  onChange,
}: {
  chosen: DefaultReviewers
  fault: string | null
  onChange: (chosen: DefaultReviewers) => void
}) {
  const people = useQuery(peopleQuery).data ?? []
  const groups = useQuery(groupsQuery).data ?? []
  const [email, setEmail] = useState('')
  const without = (list: readonly string[], gone: string) => list.filter(each => each !== gone)
  const addExternal = (event: FormEvent) => {
    event.preventDefault()
    const added = email.trim()
    if (!added || chosen.external.includes(added)) return
    onChange({ ...chosen, external: [...chosen.external, added] })
    setEmail('')
  }
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-wrap gap-1.5 empty:hidden">
        {chosen.users.map(user => (
          <Chosen
            key={user}
            label={people.find(person => person.email === user)?.name || user}
            kind="member"
            onRemove={() => onChange({ ...chosen, users: without(chosen.users, user) })}
          />
        ))}
        {chosen.groups.map(group => (
          <Chosen
            key={group}
            label={groups.find(each => each.groupId === group)?.name ?? group}
            kind="group"
            onRemove={() => onChange({ ...chosen, groups: without(chosen.groups, group) })}
          />
        ))}
        {chosen.external.map(address => (
          <Chosen
            key={address}
            label={address}
            kind="external"
            onRemove={() => onChange({ ...chosen, external: without(chosen.external, address) })}
          />
        ))}
      </ul>
      <div className="grid gap-3 sm:grid-cols-2">
        <Labelled label="Add a member">
          {ties => (
            <NativeSelect
              {...ties}
              value=""
              onChange={event => onChange({ ...chosen, users: [...chosen.users, event.target.value] })}
            >
              <option value="">Choose …</option>
              {people
                .filter(person => !chosen.users.includes(person.email))
                .map(person => (
                  <option key={person.userId} value={person.email}>
                    {person.name ? `${person.name} (${person.email})` : person.email}
                  </option>
                ))}
            </NativeSelect>
          )}
        </Labelled>
        <Labelled label="Add a group">
          {ties => (
            <NativeSelect
              {...ties}
              value=""
              onChange={event => onChange({ ...chosen, groups: [...chosen.groups, event.target.value] })}
            >
              <option value="">Choose …</option>
              {groups
                .filter(group => !chosen.groups.includes(group.groupId))
                .map(group => (
                  <option key={group.groupId} value={group.groupId}>
                    {group.name}
                  </option>
                ))}
            </NativeSelect>
          )}
        </Labelled>
      </div>
      <form onSubmit={addExternal} className="flex items-end gap-2">
        <Labelled label="Add somebody without an account" className="flex-1">
          {ties => (
            <Input
              {...ties}
              type="email"
              autoComplete="off"
              placeholder="name@example.com"
              value={email}
              onChange={event => setEmail(event.target.value)}
            />
          )}
        </Labelled>
        <Button type="submit" className="max-md:h-11">
          Add
        </Button>
      </form>
      {fault && (
        <p role="alert" className="text-bad text-sm">
          {fault}
        </p>
      )}
    </div>
  )
}

function Chosen({ label, kind, onRemove }: { label: string; kind: string; onRemove: () => void }) {
  return (
    <li className="flex items-center gap-1.5 rounded-md border border-line bg-surface py-0.5 pr-0.5 pl-2 text-sm">
      {label}
      <span className="text-muted">{kind}</span>
      <button
        type="button"
        aria-label={`Remove ${label}`}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded text-muted hover:bg-sunken max-md:size-9"
      >
        <X size={13} aria-hidden="true" />
      </button>
    </li>
  )
}
