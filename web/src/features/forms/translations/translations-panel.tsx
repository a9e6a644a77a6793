import { plural, t } from '@lingui/core/macro'
import { CircleCheck, Languages, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { Menu, MenuItem } from '@/components/menu'
import { EmptyState } from '@/components/status'
import { Switch } from '@/components/switch'
import { formatList, formatNumber, formatPercent, i18n, intl, LANGUAGES } from '@/lib/i18n'
import { LANGUAGE_NAMES, languageLabel } from '@/lib/language-names'
import { FIELD_TYPES, typeName } from '../document/field-types'
import {
  addLanguage,
  allTexts,
  isMissing,
  nameText,
  progress,
  removeLanguage,
  type Text,
  type TextPlace,
  textGroups,
  translate,
} from '../document/translations'
import type { EditorField } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { focusText } from '../editor/focus'
import { IssueLines } from '../editor/issue-lines'
import { useHistoryKeys } from '../editor/use-history-keys'
import { useWidth } from '../editor/use-width'
import { PreviewPane } from '../live/preview-pane'
import { Segments } from '../live/segments'
import { usePreview } from '../live/use-preview'
import { TEXT_INPUT, TextRow } from './text-row'

/** The texts of a review type beside their translations, one language at a time. */
export default function TranslationsPanel() {
  const { document, language: chosen, show, apply } = useEditor()
  const [ref, width] = useWidth<HTMLDivElement>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { languages } = document
  const language = languages.find(each => each === chosen) ?? languages[0]
  const add = (added: string) => {
    apply(before => addLanguage(before, added))
    show('translations', added)
    focusText(nameText(document, added).path)
  }
  const remove = (removed: string) => {
    apply(before => removeLanguage(before, removed))
    show('translations')
    heading.current?.focus()
  }
  return (
    <div ref={ref} className="flex h-full min-h-0">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-6">
          <header className="flex flex-wrap items-start gap-x-6 gap-y-3">
            <div className="min-w-0 flex-1 basis-72">
              <h2 ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
                {t`Translations`}
              </h2>
              <p className="text-muted">
                {t`Reviewers see this review type in their language. Texts without a translation appear as written. Values and results are the same in every language.`}
              </p>
            </div>
            {languages.length > 0 && <AddLanguage onAdd={add} />}
          </header>
          {language === undefined ? (
            <EmptyState
              icon={<Languages size={28} />}
              title={t`No translations yet`}
              action={<AddLanguage onAdd={add} />}
            >
              {t`Add a language to translate labels, options, and help texts.`}
            </EmptyState>
          ) : (
            <>
              <Choice language={language} />
              <Texts key={language} language={language} onRemove={() => remove(language)} />
            </>
          )}
        </div>
      </div>
      {language !== undefined && width >= 1100 && <Beside language={language} />}
    </div>
  )
}

function AddLanguage({ onAdd }: { onAdd: (language: string) => void }) {
  const { document } = useEditor()
  const left = LANGUAGES.filter(language => !document.languages.includes(language))
    .map(language => ({ language, label: languageLabel(language) }))
    .sort((one, other) => intl(Intl.Collator).compare(one.label, other.label))
  if (left.length === 0) return null
  return (
    <Menu
      trigger={
        <Button kind="primary" icon={<Plus size={15} />} className="max-md:h-11">
          {t`Add language`}
        </Button>
      }
    >
      {left.map(({ language, label }) => (
        <MenuItem key={language} onSelect={() => onAdd(language)}>
          <span className="flex justify-between gap-6">
            {label}
            {label !== LANGUAGE_NAMES[language] && (
              <bdi lang={language} className="text-muted">
                {LANGUAGE_NAMES[language]}
              </bdi>
            )}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function Choice({ language }: { language: string }) {
  const { document, show } = useEditor()
  const options = useMemo(
    () =>
      document.languages.map(each => {
        const { done, total } = progress(allTexts(document, each))
        return {
          id: each,
          label: languageLabel(each),
          // Not all of them until the last one is.
          detail: formatPercent(total === 0 ? 1 : Math.floor((100 * done) / total) / 100),
        }
      }),
    [document],
  )
  return (
    <Segments
      label={t`Language`}
      options={options}
      value={language}
      onChange={next => show('translations', next)}
    />
  )
}

const idOf = (text: Text) => JSON.stringify(text.place)

function Texts({ language, onRemove }: { language: string; onRemove: () => void }) {
  const { document, saved, apply, checked } = useEditor()
  const groups = useMemo(() => textGroups(document, language), [document, language])
  const texts = useMemo(() => allTexts(document, language), [document, language])
  const { done, total } = progress(texts)
  const before = useMemo(
    () => new Map(saved && allTexts(saved.document, language).map(text => [text.path, text])),
    [saved, language],
  )
  const errors = useMemo(() => {
    const found = checked.issues.filter(
      ({ place }) => place.kind === 'translation' && (place.language ?? language) === language,
    )
    return new Map(found.map(issue => [issue.path.replace(/^form\./, ''), issue]))
  }, [checked.issues, language])
  const paths = useMemo(() => new Set(texts.map(text => text.path)), [texts])
  const others = [...errors].flatMap(([path, issue]) => (paths.has(path) ? [] : [issue]))
  // What was missing when the filter was turned on stays while it's translated.
  const [missing, setMissing] = useState<ReadonlySet<string> | null>(null)
  const isShown = (text: Text) =>
    missing === null || missing.has(idOf(text)) || isMissing(text) || errors.has(text.path)
  const [isRemoving, setRemoving] = useState(false)
  const takeBack = useHistoryKeys()
  const change = useCallback(
    (id: string, text: string) =>
      apply(
        earlier => translate(earlier, language, JSON.parse(id) as TextPlace, text),
        `translation ${language} ${id}`,
      ),
    [apply, language],
  )
  const row = (text: Text, owner: string, kind: string, field?: EditorField): ReactNode => {
    if (!isShown(text)) return null
    const earlier = before.get(text.path)
    const hasChanged =
      earlier !== undefined &&
      earlier.original !== text.original &&
      earlier.translation === text.translation &&
      text.translation !== ''
    return (
      <TextRow
        key={idOf(text)}
        id={idOf(text)}
        path={text.path}
        kind={kind}
        name={nameOf(text, owner, kind)}
        language={language}
        original={text.original}
        translation={text.translation}
        isLong={isLong(text, field)}
        error={errors.get(text.path)?.message ?? null}
        was={hasChanged ? earlier.original : null}
        onChange={change}
      />
    )
  }
  const fieldRows = (field: EditorField, own: readonly Text[], owner: string) =>
    own.map(text => row(text, owner, kindOf(text, field), field))
  const sections = groups.flatMap(group => {
    if (group.of === 'name')
      return section(
        'name',
        t`Review type`,
        null,
        group.texts.map(text => row(text, t`Review type`, t`Name`)),
      )
    if (group.of === 'group') {
      const label = group.node.label || group.node.id
      return section(
        group.node.key,
        label,
        t`Group`,
        group.texts.map(text => row(text, label, t`Heading`)),
      )
    }
    const { field } = group
    const label = field.label || field.id
    const children = group.children.map(({ field: child, texts: own }, index) => {
      const name = child.label || child.id
      const rows = fieldRows(child, own, formatList([label, name]))
      // biome-ignore lint/suspicious/noArrayIndexKey: child fields are edited in place, and their IDs too
      return rows.some(Boolean) ? <ChildRows key={index} name={name} child={child} rows={rows} /> : null
    })
    return section(group.node.key, label, typeName(field.type), [
      ...fieldRows(field, group.texts, label),
      ...children,
    ])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (takeBack(event) || event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (event.target instanceof HTMLInputElement && event.target.hasAttribute(TEXT_INPUT)) {
      event.preventDefault()
      next(event.currentTarget, event.target, event.shiftKey ? -1 : 1)?.focus()
    }
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p role="status" className="flex items-center gap-1.5 text-sm">
          {done === total && <CircleCheck size={15} aria-hidden="true" className="text-good" />}
          {t`${{ done: formatNumber(done) }} of ${{ total: formatNumber(total) }} translated`}
        </p>
        <Switch
          checked={missing !== null}
          onChange={on => setMissing(on ? new Set(texts.filter(isMissing).map(idOf)) : null)}
          label={t`Show only missing`}
        />
        <Button
          kind="quiet"
          size="small"
          icon={<Trash2 size={14} />}
          className="ms-auto max-md:h-11"
          onClick={() => (done > 0 ? setRemoving(true) : onRemove())}
        >
          {t`Remove language`}
        </Button>
      </div>
      <IssueLines issues={others} />
      {sections.length === 0 ? (
        <EmptyState
          icon={<CircleCheck size={28} />}
          title={t`Everything is translated`}
          action={<Button onClick={() => setMissing(null)}>{t`Show all texts`}</Button>}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: it hears what bubbles up from the inputs inside
        <div onKeyDown={onKeyDown} className="flex flex-col gap-4">
          {sections}
        </div>
      )}
      <Confirm
        open={isRemoving}
        onClose={() => setRemoving(false)}
        title={t`Remove ${{ language: languageLabel(language) }}?`}
        confirm={t`Remove language`}
        kind="bad"
        onConfirm={() => {
          setRemoving(false)
          onRemove()
        }}
      >
        {plural(done, {
          one: '# translated text will be removed. You can undo this.',
          other: '# translated texts will be removed. You can undo this.',
        })}
      </Confirm>
    </>
  )
}

function section(id: string, title: string, kind: string | null, rows: readonly ReactNode[]): ReactNode[] {
  if (!rows.some(Boolean)) return []
  return [
    <section
      key={id}
      aria-label={title}
      className="overflow-hidden rounded-lg border border-line bg-surface pb-1"
    >
      <h3 className="flex items-baseline gap-2 border-line border-b bg-sunken px-3 py-1.5 text-sm">
        <bdi className="min-w-0 truncate font-medium">{title}</bdi>
        {kind !== null && <span className="shrink-0 text-muted">{kind}</span>}
      </h3>
      {rows}
    </section>,
  ]
}

function ChildRows({ name, child, rows }: { name: string; child: EditorField; rows: readonly ReactNode[] }) {
  return (
    <div className="mt-1 ms-3 border-line border-s">
      <h4 className="flex items-baseline gap-2 px-3 pt-1 text-sm">
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        <span className="shrink-0 text-muted">{typeName(child.type)}</span>
      </h4>
      {rows}
    </div>
  )
}

function Beside({ language }: { language: string }) {
  const preview = usePreview()
  return (
    <aside
      aria-label={t`Live preview`}
      className="w-[clamp(20rem,35%,34rem)] shrink-0 overflow-y-auto border-line border-s p-4"
    >
      <PreviewPane preview={preview} language={language} />
    </aside>
  )
}

/** What a text of a field is: one of its settings, or an option. */
function kindOf({ place }: Text, field: EditorField): string {
  if (place.of !== 'field' || !('setting' in place)) return t`Option`
  if (place.setting === 'label') return t`Label`
  if (place.setting === 'help') return t`Help text`
  const setting = FIELD_TYPES[field.type].settings.find(each => each.name === place.setting)
  return setting ? i18n._(setting.label) : place.setting
}

/** An option is read out by its label, as there are several. */
function nameOf({ place, original }: Text, owner: string, kind: string): string {
  const isOption = place.of === 'field' && 'option' in place
  return t`${{ field: owner }}: ${{ setting: isOption && original ? original : kind }}`
}

function isLong({ place, original, translation }: Text, field: EditorField | undefined): boolean {
  if (`${original}${translation}`.includes('\n')) return true
  if (field === undefined || place.of !== 'field' || !('setting' in place)) return false
  const setting = FIELD_TYPES[field.type].settings.find(each => each.name === place.setting)
  return place.setting === 'help' || setting?.kind === 'longText'
}

function next(list: Element, input: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const inputs = [...list.querySelectorAll<HTMLElement>(`[${TEXT_INPUT}]`)]
  return inputs[inputs.indexOf(input) + by]
}
