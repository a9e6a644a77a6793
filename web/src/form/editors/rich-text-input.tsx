import { t } from '@lingui/core/macro'
import { type Editor, EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListOrdered,
  Quote,
  Redo2,
  RemoveFormatting,
  Strikethrough,
  Undo2,
  Unlink,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '@/components/button'
import { Input } from '@/components/input'
import { classes } from '@/lib/classes'
import type { ControlAttributes } from '../editor-props'
import { focusFieldAround } from '../focus'
import { isWebAddress } from '../value-types/texts'
import { sanitizeHtml } from './sanitize'
import './prose.css'

type Props = {
  html: string
  suggested: string
  onChange: (html: string) => void
  attributes: ControlAttributes
  required: boolean
}

const extensions = [
  StarterKit.configure({
    // An empty paragraph at the end would count as an edit.
    trailingNode: false,
    link: {
      openOnClick: false,
      autolink: false,
      protocols: ['http', 'https'],
      HTMLAttributes: { target: null, rel: null },
    },
  }),
]

export default function RichTextInput({ html, suggested, onChange, attributes, required }: Props) {
  // The suggestion as the editor writes it without any change: that counts as the suggestion.
  const untouched = useRef<string | null>(null)
  const told = useRef(html)
  const tell = useRef(onChange)
  tell.current = onChange
  const editor = useEditor({
    extensions,
    content: sanitizeHtml(html),
    // Styles come from our own style sheet; the page's policy blocks others.
    injectCSS: false,
    editorProps: {
      transformPastedHTML: sanitizeHtml,
      attributes: {
        ...(Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [name, String(value)]),
        ) as Record<string, string>),
        role: 'textbox',
        'aria-multiline': 'true',
        ...(required && { 'aria-required': 'true' }),
        dir: 'auto',
      },
      // The editor handles every Escape, so nothing else would get it.
      handleKeyDown: (view, event) => {
        if (event.key !== 'Escape' || event.isComposing) return false
        focusFieldAround(view.dom)
        return true
      },
    },
    onCreate: ({ editor }) => {
      if (html === suggested) untouched.current = getHtml(editor)
    },
    onUpdate: ({ editor }) => {
      const written = getHtml(editor)
      told.current = written === untouched.current ? suggested : written
      tell.current(told.current)
    },
  })

  // The value was changed elsewhere: reverted, or replaced by a draft.
  useEffect(() => {
    if (html === told.current) return
    told.current = html
    editor.commands.setContent(sanitizeHtml(html), { emitUpdate: false })
    if (html === suggested) untouched.current = getHtml(editor)
  }, [editor, html, suggested])

  return (
    <div className="flex flex-col gap-2">
      <div className="rounded-md border border-line-strong/60 bg-surface focus-within:outline-2 focus-within:outline-accent">
        <Toolbar editor={editor} />
        <EditorContent editor={editor} className="prose" />
      </div>
    </div>
  )
}

const getHtml = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML())

function Toolbar({ editor }: { editor: Editor }) {
  const [linking, setLinking] = useState(false)
  const state = useEditorState({
    editor,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      strike: editor.isActive('strike'),
      code: editor.isActive('code'),
      h2: editor.isActive('heading', { level: 2 }),
      h3: editor.isActive('heading', { level: 3 }),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      quote: editor.isActive('blockquote'),
      link: editor.isActive('link'),
      canUndo: editor.can().undo(),
      canRedo: editor.can().redo(),
    }),
  })
  const chain = () => editor.chain().focus()
  return (
    <div className="border-line border-b">
      <div role="toolbar" aria-label={t`Formatting`} className="flex flex-wrap gap-0.5 p-1">
        <Tool
          label={t`Bold`}
          keys="mod+b"
          icon={<Bold />}
          on={state.bold}
          run={() => chain().toggleBold().run()}
        />
        <Tool
          label={t`Italic`}
          keys="mod+i"
          icon={<Italic />}
          on={state.italic}
          run={() => chain().toggleItalic().run()}
        />
        <Tool
          label={t`Strikethrough`}
          icon={<Strikethrough />}
          on={state.strike}
          run={() => chain().toggleStrike().run()}
        />
        <Tool label={t`Code`} icon={<Code />} on={state.code} run={() => chain().toggleCode().run()} />
        <Tool
          label={t`Heading`}
          icon={<Heading2 />}
          on={state.h2}
          run={() => chain().toggleHeading({ level: 2 }).run()}
        />
        <Tool
          label={t`Subheading`}
          icon={<Heading3 />}
          on={state.h3}
          run={() => chain().toggleHeading({ level: 3 }).run()}
        />
        <Tool
          label={t`Bulleted list`}
          icon={<List />}
          on={state.bullets}
          run={() => chain().toggleBulletList().run()}
        />
        <Tool
          label={t`Numbered list`}
          icon={<ListOrdered />}
          on={state.numbers}
          run={() => chain().toggleOrderedList().run()}
        />
        <Tool
          label={t`Quote`}
          icon={<Quote />}
          on={state.quote}
          run={() => chain().toggleBlockquote().run()}
        />
        {state.link ? (
          <Tool label={t`Remove link`} icon={<Unlink />} on run={() => chain().unsetLink().run()} />
        ) : (
          <Tool label={t`Link`} icon={<Link />} on={linking} run={() => setLinking(!linking)} />
        )}
        <Tool
          label={t`Clear formatting`}
          icon={<RemoveFormatting />}
          run={() => chain().unsetAllMarks().clearNodes().run()}
        />
        <Tool
          label={t`Undo`}
          keys="mod+z"
          icon={<Undo2 />}
          off={!state.canUndo}
          run={() => chain().undo().run()}
        />
        <Tool label={t`Redo`} icon={<Redo2 />} off={!state.canRedo} run={() => chain().redo().run()} />
      </div>
      {linking && (
        <LinkAddress
          onCancel={() => {
            setLinking(false)
            editor.commands.focus()
          }}
          onSet={address => {
            setLinking(false)
            const marked = editor.state.selection.empty
              ? chain().insertContent({
                  type: 'text',
                  text: address,
                  marks: [{ type: 'link', attrs: { href: address } }],
                })
              : chain().setLink({ href: address })
            marked.run()
          }}
        />
      )}
    </div>
  )
}

type ToolProps = {
  label: string
  icon: ReactNode
  run: () => void
  on?: boolean
  off?: boolean
  keys?: string
}

function Tool({ label, icon, run, on, off, keys }: ToolProps) {
  return (
    <IconButton
      label={label}
      icon={icon}
      keys={keys}
      size="small"
      disabled={off}
      aria-pressed={on}
      className={classes(on && 'bg-selected text-accent')}
      // Keep the selection in the text.
      onMouseDown={event => event.preventDefault()}
      onClick={run}
    />
  )
}

function LinkAddress({ onSet, onCancel }: { onSet: (address: string) => void; onCancel: () => void }) {
  const [address, setAddress] = useState('https://')
  const set = () => isWebAddress(address) && onSet(address)
  return (
    <div className="flex items-center gap-2 border-line border-t p-1.5">
      <Input
        autoFocus
        aria-label={t`Link URL`}
        inputMode="url"
        value={address}
        aria-invalid={!isWebAddress(address) && address.length > 8 ? true : undefined}
        onChange={event => setAddress(event.target.value.trim())}
        onKeyDown={event => {
          if (event.key === 'Enter') set()
          else if (event.key === 'Escape') onCancel()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
      />
      <Button size="small" kind="primary" disabled={!isWebAddress(address)} onClick={set}>
        {t`Add link`}
      </Button>
      <Button size="small" onClick={onCancel}>
        {t`Cancel`}
      </Button>
    </div>
  )
}
