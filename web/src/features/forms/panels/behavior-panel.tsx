import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { groupsQuery } from '@/api/settings/groups'
import { peopleQuery } from '@/api/settings/people'
import { Button } from '@/components/button'
import { Input, LabeledField, NativeSelect, TextArea } from '@/components/input'
import { Switch } from '@/components/switch'
import type { DefaultReviewers, EditorDocument, Unmapped } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { getPropertyError } from '../editor/issues'
import { PublicLink } from './public-link'
import { TimeLimitsEditor } from './time-limits'

function unmappedHelp(unmapped: Unmapped): string {
  switch (unmapped) {
    case 'show':
      return t`Reviewers see them under “Also sent.” A note next to Approve says how many there are. They're returned with the decision.`
    case 'hide':
      return t`Reviewers don't see them. They're still returned with the decision.`
    case 'reject':
      return t`Requests that include them are rejected, and the error lists them.`
  }
}

/** Default reviewers, decisions, deadlines and webhooks. */
export default function BehaviorPanel() {
  const { document, apply, checked } = useEditor()
  const set = (part: Partial<EditorDocument>, about?: string) =>
    apply(before => ({ ...before, ...part }), about)
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-4 py-6">
      <Part title={t`For agents`}>
        <LabeledField
          label={t`Description`}
          help={t`What this review type is for and when to use it. Agents read this description to choose a review type. Reviewers don't see it.`}
          error={getPropertyError(checked.issues, 'description')}
        >
          {attributes => (
            <TextArea
              {...attributes}
              maxLength={2000}
              placeholder={t`Use this before paying out a refund over $100.`}
              value={document.description ?? ''}
              onChange={event => set({ description: event.target.value || null }, 'description')}
            />
          )}
        </LabeledField>
      </Part>
      <Part
        title={t`Default reviewers`}
        about={t`Used when a request doesn't name reviewers. If you add none, any reviewer can decide.`}
      >
        <Reviewers
          chosen={document.defaultReviewers}
          error={getPropertyError(checked.issues, 'defaultReviewers')}
          onChange={defaultReviewers => set({ defaultReviewers })}
        />
        <Switch
          checked={document.allowExternalReviewers}
          onChange={allowExternalReviewers => set({ allowExternalReviewers })}
          label={t`Allow external reviewers`}
          help={t`Lets people without an account review through a link. Turn this off if only members should decide.`}
        />
      </Part>
      <Part title={t`Decisions`}>
        <Switch
          checked={document.allowRetry}
          onChange={allowRetry => set({ allowRetry })}
          label={t`Allow requesting changes`}
          help={t`Reviewers describe what to change, and the agent sends a new revision.`}
        />
        <Switch
          checked={document.decideFromChat}
          onChange={decideFromChat => set({ decideFromChat })}
          label={t`Approve and reject from Slack`}
          help={t`Adds Approve and Reject buttons to a review's Slack message if the message shows the entire review and the review can be approved as is. Permissions are the same as in the inbox.`}
        />
        <Switch
          checked={document.autoApprove}
          onChange={autoApprove => set({ autoApprove })}
          label={t`Auto-approve`}
          help={t`Approves every review immediately, without a human decision. Each review is still recorded, and the agent is notified.`}
        />
        <Switch
          checked={document.trigger}
          onChange={trigger => set({ trigger })}
          label={t`Use as trigger form`}
          help={t`People submit this form to start a workflow. There's nothing to approve or reject.`}
        />
        <PublicLink />
      </Part>
      <Part title={t`Values without a field`}>
        <LabeledField
          label={t`When a request includes values without a field`}
          help={unmappedHelp(document.unmapped)}
          error={getPropertyError(checked.issues, 'unmapped')}
        >
          {attributes => (
            <NativeSelect
              {...attributes}
              className="max-w-xs"
              value={document.unmapped}
              onChange={event => set({ unmapped: event.target.value as Unmapped })}
            >
              <option value="show">{t`Show them below the fields`}</option>
              <option value="hide">{t`Hide them`}</option>
              <option value="reject">{t`Reject the request`}</option>
            </NativeSelect>
          )}
        </LabeledField>
      </Part>
      <Part title={t`Deadlines`}>
        <TimeLimitsEditor />
      </Part>
      <Part title={t`Webhooks`}>
        <Address
          label={t`Webhook URL`}
          help={t`Results go to this URL instead of the agent's webhook.`}
          value={document.webhookUrl}
          error={getPropertyError(checked.issues, 'webhookUrl')}
          onChange={webhookUrl => set({ webhookUrl }, 'webhookUrl')}
        />
        <Address
          label={t`Tool webhook URL`}
          help={t`Called before the agent's webhook, for approved reviews only, to carry out the approved action.`}
          value={document.toolWebhookUrl}
          error={getPropertyError(checked.issues, 'toolWebhookUrl')}
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
  error,
  onChange,
}: {
  label: string
  help: string
  value: string | null
  error: string | null
  onChange: (value: string | null) => void
}) {
  return (
    <LabeledField label={label} help={help} error={error}>
      {attributes => (
        <Input
          {...attributes}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          value={value ?? ''}
          onChange={event => onChange(event.target.value || null)}
        />
      )}
    </LabeledField>
  )
}

function Reviewers({
  chosen,
  error,
  onChange,
}: {
  chosen: DefaultReviewers
  error: string | null
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
            kind={t`Member`}
            onRemove={() => onChange({ ...chosen, users: without(chosen.users, user) })}
          />
        ))}
        {chosen.groups.map(group => (
          <Chosen
            key={group}
            label={groups.find(each => each.groupId === group)?.name ?? group}
            kind={t({ message: 'Group', context: 'group of members' })}
            onRemove={() => onChange({ ...chosen, groups: without(chosen.groups, group) })}
          />
        ))}
        {chosen.external.map(address => (
          <Chosen
            key={address}
            label={address}
            kind={t`External`}
            onRemove={() => onChange({ ...chosen, external: without(chosen.external, address) })}
          />
        ))}
      </ul>
      <div className="grid gap-3 sm:grid-cols-2">
        <LabeledField label={t`Add member`}>
          {attributes => (
            <NativeSelect
              {...attributes}
              value=""
              onChange={event => onChange({ ...chosen, users: [...chosen.users, event.target.value] })}
            >
              <option value="">{t`Select…`}</option>
              {people
                .filter(person => !chosen.users.includes(person.email))
                .map(person => (
                  <option key={person.userId} value={person.email}>
                    {person.name ? `${person.name} (${person.email})` : person.email}
                  </option>
                ))}
            </NativeSelect>
          )}
        </LabeledField>
        <LabeledField label={t`Add group`}>
          {attributes => (
            <NativeSelect
              {...attributes}
              value=""
              onChange={event => onChange({ ...chosen, groups: [...chosen.groups, event.target.value] })}
            >
              <option value="">{t`Select…`}</option>
              {groups
                .filter(group => !chosen.groups.includes(group.groupId))
                .map(group => (
                  <option key={group.groupId} value={group.groupId}>
                    {group.name}
                  </option>
                ))}
            </NativeSelect>
          )}
        </LabeledField>
      </div>
      <form onSubmit={addExternal} className="flex items-end gap-2">
        <LabeledField label={t`Add external reviewer`} className="flex-1">
          {attributes => (
            <Input
              {...attributes}
              type="email"
              autoComplete="off"
              placeholder="name@example.com"
              value={email}
              onChange={event => setEmail(event.target.value)}
            />
          )}
        </LabeledField>
        <Button type="submit">{t`Add`}</Button>
      </form>
      {error && (
        <p role="alert" className="text-bad text-sm">
          {error}
        </p>
      )}
    </div>
  )
}

function Chosen({ label, kind, onRemove }: { label: string; kind: string; onRemove: () => void }) {
  return (
    <li className="flex items-center gap-1.5 rounded-md border border-line bg-surface py-0.5 ps-2 pe-0.5 text-sm">
      <bdi>{label}</bdi>
      <span className="text-muted">{kind}</span>
      <button
        type="button"
        aria-label={t`Remove ${{ name: label }}`}
        onClick={onRemove}
        className="grid size-6 place-items-center rounded text-muted hover:bg-sunken pointer-coarse:size-9"
      >
        <X className="icon-small" />
      </button>
    </li>
  )
}
