import { plural, t } from '@lingui/core/macro'
import { CircleCheck, Languages, Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '@/components/button'
import { Confirm } from '@/components/dialog'
import { Menu, MenuItem } from '@/components/menu'
import { Segments } from '@/components/segments'
import { EmptyState } from '@/components/status'
import { Switch } from '@/components/switch'
import { formatList, formatNumber, formatPercent, i18n, intl, LANGUAGES } from '@/lib/i18n'
import { LANGUAGE_NAMES, languageLabel } from '@/lib/language-names'
import { findSetting, getTypeName, isMultiline } from '../document/field-types'
import {
  addLanguage,
  childTexts,
  fieldTexts,
  getAllTexts,
  getChildFields,
  getProgress,
  getTextGroups,
  getTexts,
  isMissing,
  nameText,
  removeLanguage,
  type Text,
  type TextPlace,
  translate,
} from '../document/translations'
import type { EditorField } from '../document/types'
import { useEditor } from '../editor/editor-context'
import { focusText } from '../editor/focus'
import { IssueLines } from '../editor/issue-lines'
import type { Issue } from '../editor/issues'
import { useHistoryKeys } from '../editor/use-history-keys'
import { useWidth } from '../editor/use-width'
import { PreviewPane } from '../live/preview-pane'
import { usePreview } from '../live/use-preview'
import { TEXT_INPUT, TextRow } from './text-row'

/** The texts of a review type next to their translations, one language at a time. */
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
                {t`Reviewers see this review type in their language. Text without a translation appears in the original language. Values and results are the same in every language.`}
              </p>
            </div>
            {languages.length > 0 && <AddLanguage onAdd={add} />}
          </header>
          {language === undefined ? (
            <EmptyState
              icon={<Languages />}
              title={t`No translations yet`}
              action={<AddLanguage onAdd={add} />}
            >
              {t`Add a language to translate labels, options, and help text.`}
            </EmptyState>
          ) : (
            <>
              <Choice language={language} />
              <Texts key={language} language={language} onRemove={() => remove(language)} />
            </>
          )}
        </div>
      </div>
      {language !== undefined && width >= 1100 && <Preview language={language} />}
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
        <Button kind="primary" icon={<Plus />}>
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
        const { done, total } = getProgress(getAllTexts(document, each))
        return {
          id: each,
          label: languageLabel(each),
          // Rounded down, so that 100% means all of them.
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

const getId = (text: Text) => JSON.stringify(text.place)

/** What every row needs. The object stays the same while a row is edited. */
type Shared = {
  language: string
  /**
   * The texts that were untranslated when the filter was turned on; they stay while they are translated. Null without
   * the filter.
   */
  missing: ReadonlySet<string> | null
  errors: ReadonlyMap<string, Issue>
  /** The texts of the last version, by path. */
  earlier: ReadonlyMap<string, Text>
  onChange: (id: string, text: string) => void
}

const isShown = (text: Text, { missing, errors }: Shared): boolean =>
  missing === null || missing.has(getId(text)) || isMissing(text) || errors.has(text.path)

function Texts({ language, onRemove }: { language: string; onRemove: () => void }) {
  const { document, saved, apply, checked } = useEditor()
  const [missing, setMissing] = useState<ReadonlySet<string> | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const takeBack = useHistoryKeys()
  const groups = useMemo(() => getTextGroups(document, language), [document, language])
  const texts = useMemo(() => groups.flatMap(getTexts), [groups])
  const { done, total } = getProgress(texts)
  const errors = useMemo(() => {
    const found = checked.issues.filter(
      ({ place }) => place.kind === 'translation' && (place.language ?? language) === language,
    )
    return new Map(found.map(issue => [issue.path.replace(/^form\./, ''), issue]))
  }, [checked.issues, language])
  const paths = useMemo(() => new Set(texts.map(text => text.path)), [texts])
  const others = [...errors].flatMap(([path, issue]) => (paths.has(path) ? [] : [issue]))
  const onChange = useCallback(
    (id: string, text: string) =>
      apply(
        before => translate(before, language, JSON.parse(id) as TextPlace, text),
        `translation ${language} ${id}`,
      ),
    [apply, language],
  )
  const shared = useMemo((): Shared => {
    const earlier = new Map(saved && getAllTexts(saved.document, language).map(text => [text.path, text]))
    return { language, missing, errors, earlier, onChange }
  }, [language, missing, errors, saved, onChange])
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
        <p role="status" className="flex items-center gap-1.5">
          {done === total && <CircleCheck className="text-good" />}
          {t`${{ done: formatNumber(done) }} of ${{ total: formatNumber(total) }} translated`}
        </p>
        <Switch
          checked={missing !== null}
          onChange={on => setMissing(on ? new Set(texts.filter(isMissing).map(getId)) : null)}
          label={t`Show only missing`}
        />
        <Button
          kind="quiet"
          size="small"
          icon={<Trash2 />}
          className="ms-auto"
          onClick={() => (done > 0 ? setRemoving(true) : onRemove())}
        >
          {t`Remove language`}
        </Button>
      </div>
      <IssueLines issues={others} />
      {texts.some(text => isShown(text, shared)) ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: it handles events that bubble up from the inputs inside
        <div onKeyDown={onKeyDown} className="flex flex-col gap-4">
          {groups.map(group =>
            group.of === 'field' ? (
              <FieldSection
                key={group.node.key}
                field={group.field}
                index={document.fields.indexOf(group.field)}
                shared={shared}
              />
            ) : group.of === 'group' ? (
              <Section
                key={group.node.key}
                title={group.node.label || group.node.id}
                kind={t`Group`}
                rows={group.texts.map(text =>
                  row(text, group.node.label || group.node.id, t`Heading`, shared),
                )}
              />
            ) : (
              <Section
                key="name"
                title={t`Review type`}
                rows={group.texts.map(text => row(text, t`Review type`, t`Name`, shared))}
              />
            ),
          )}
        </div>
      ) : (
        <EmptyState
          icon={<CircleCheck />}
          title={t`Everything is translated`}
          action={<Button onClick={() => setMissing(null)}>{t`Show all text`}</Button>}
        />
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
          one: '# translation will be removed. You can undo this.',
          other: '# translations will be removed. You can undo this.',
        })}
      </Confirm>
    </>
  )
}

/** With hundreds of fields, only the one being edited is rendered again. */
const FieldSection = memo(function FieldSection({
  field,
  index,
  shared,
}: {
  field: EditorField
  index: number
  shared: Shared
}) {
  const label = field.label || field.id
  const rows = fieldTexts(field, shared.language, index).map(text =>
    row(text, label, getKind(text, field), shared),
  )
  const children = getChildFields(field).map((child, number) => {
    const name = child.label || child.id
    const own = childTexts(field, shared.language, index, number).map(text =>
      row(text, formatList([label, name]), getKind(text, child), shared),
    )
    // biome-ignore lint/suspicious/noArrayIndexKey: child fields are edited in place, and so are their IDs
    return own.some(Boolean) ? <ChildRows key={number} name={name} child={child} rows={own} /> : null
  })
  return <Section title={label} kind={getTypeName(field.type)} rows={[...rows, ...children]} />
})

/** Null for a text that isn't shown. */
function row(text: Text, owner: string, kind: string, shared: Shared): ReactNode {
  if (!isShown(text, shared)) return null
  const id = getId(text)
  const earlier = shared.earlier.get(text.path)
  const hasChanged =
    earlier !== undefined &&
    earlier.original !== text.original &&
    earlier.translation === text.translation &&
    text.translation !== ''
  return (
    <TextRow
      key={id}
      id={id}
      path={text.path}
      kind={kind}
      name={getName(text, owner, kind)}
      language={shared.language}
      original={text.original}
      translation={text.translation}
      isLong={isLong(text)}
      error={shared.errors.get(text.path)?.message ?? null}
      was={hasChanged ? earlier.original : null}
      onChange={shared.onChange}
    />
  )
}

function Section({ title, kind, rows }: { title: string; kind?: string; rows: readonly ReactNode[] }) {
  if (!rows.some(Boolean)) return null
  return (
    <section
      aria-label={title}
      className="overflow-hidden rounded-lg border border-line bg-surface pb-1 [contain-intrinsic-block-size:auto_10rem] [content-visibility:auto]"
    >
      <h3 className="flex items-baseline gap-2 border-line border-b bg-sunken px-3 py-1.5 text-sm">
        <bdi className="min-w-0 truncate font-medium">{title}</bdi>
        {kind !== undefined && <span className="shrink-0 text-muted">{kind}</span>}
      </h3>
      {rows}
    </section>
  )
}

function ChildRows({ name, child, rows }: { name: string; child: EditorField; rows: readonly ReactNode[] }) {
  return (
    <div className="ms-3 mt-1 border-line border-s">
      <h4 className="flex items-baseline gap-2 px-3 pt-1 text-sm">
        <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        <span className="shrink-0 text-muted">{getTypeName(child.type)}</span>
      </h4>
      {rows}
    </div>
  )
}

function Preview({ language }: { language: string }) {
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
function getKind({ place }: Text, field: EditorField): string {
  if (place.of !== 'field' || !('setting' in place)) return t`Option`
  const setting = findSetting(field.type, place.setting)
  return setting ? i18n._(setting.label) : place.setting
}

/** An option is read out by its label, because there are several. */
function getName({ place, original }: Text, owner: string, kind: string): string {
  const isOption = place.of === 'field' && 'option' in place
  return t`${{ field: owner }}: ${{ setting: isOption && original ? original : kind }}`
}

const isLong = ({ place, original, translation }: Text): boolean =>
  `${original}${translation}`.includes('\n') ||
  (place.of === 'field' && 'setting' in place && isMultiline(place.setting))

function next(list: Element, input: HTMLElement, by: 1 | -1): HTMLElement | undefined {
  const inputs = [...list.querySelectorAll<HTMLElement>(`[${TEXT_INPUT}]`)]
  return inputs[inputs.indexOf(input) + by]
}
