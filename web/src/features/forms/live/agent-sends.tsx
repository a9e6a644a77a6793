import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { API } from '@/api/client'
import { allAgentsQuery } from '@/api/settings/agents'
import { Button } from '@/components/button'
import { Copy } from '@/components/copy'
import { NativeSelect } from '@/components/input'
import { Notice } from '@/components/status'
import { useEditor } from '../editor/editor-context'
import { CodeText } from './code-text'
import { SampleEditor } from './sample-editor'
import { LANGUAGES, type SnippetLanguage, snippet } from './snippets'

/** What an agent sends to ask for this review, with this workspace's IDs. */
export function AgentSends() {
  const { document, saved, sample } = useEditor()
  const [language, setLanguage] = useState<SnippetLanguage>('curl')
  const [isEditing, setEditing] = useState(false)
  const agents = useQuery(allAgentsQuery).data
  const text = snippet(language, {
    address: new URL(API, location.origin).href,
    formId: saved?.formId ?? 'the ID comes with the first saving',
    agentId: document.agentId === null ? (agents?.[0]?.agentId ?? 'the ID of an agent') : null,
    data: sample.data,
  })
  return (
    <section aria-label="Agent sends" className="flex min-w-0 flex-col gap-3">
      <header className="flex min-h-8 flex-wrap items-center gap-2">
        <h2 className="flex-1 font-semibold">Agent sends</h2>
        {sample.isTyped && !isEditing && (
          <Button size="small" kind="quiet" icon={<RotateCcw size={14} />} onClick={() => sample.set(null)}>
            Use made-up data
          </Button>
        )}
        <Button
          size="small"
          icon={<Pencil size={14} />}
          aria-pressed={isEditing}
          onClick={() => setEditing(!isEditing)}
        >
          {isEditing ? 'Done' : 'Edit the sample'}
        </Button>
      </header>
      {isEditing ? (
        <SampleEditor />
      ) : (
        <>
          <div className="flex items-center gap-2">
            <NativeSelect
              aria-label="Language"
              className="w-auto!"
              value={language}
              onChange={event => setLanguage(event.target.value as SnippetLanguage)}
            >
              {LANGUAGES.map(each => (
                <option key={each.id} value={each.id}>
                  {each.label}
                </option>
              ))}
            </NativeSelect>
            <span className="flex-1" />
            <Copy text={text} label="Copy" />
          </div>
          {saved === null && (
            <Notice>Save the review type first: then its ID stands here, and this is ready to paste.</Notice>
          )}
          {agents?.length === 0 && (
            <Notice actions={<SettingsLink section="agents">Make an agent</SettingsLink>}>
              There is no agent yet, and every request needs one: its ID goes where this says so.
            </Notice>
          )}
          <CodeText label="Request" text={text} />
          <p className="text-muted text-sm">
            Put an API key with the scope <code className="font-mono text-xs">reviews:write</code> in{' '}
            <code className="font-mono text-xs">SIGNOFF_API_KEY</code>; keys are made in the{' '}
            <SettingsLink section="keys">settings</SettingsLink>.
          </p>
        </>
      )}
    </section>
  )
}

function SettingsLink({ section, children }: { section: string; children: string }) {
  return (
    <Link to="/settings/$section" params={{ section }} className="font-medium text-accent hover:underline">
      {children}
    </Link>
  )
}
