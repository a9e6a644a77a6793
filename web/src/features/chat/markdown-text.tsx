import { memo, Suspense } from 'react'
import { lazyPart } from '@/components/lazy'

const RenderedMarkdown = lazyPart(() => import('@/form/editors/rendered-markdown'))

/** An agent's text. Shown as plain text until the formatter is loaded, or if it can't be. */
export const MarkdownText = memo(function MarkdownText({ text }: { text: string }) {
  return (
    <Suspense
      fallback={
        <div data-loading>
          <PlainText text={text} />
        </div>
      }
    >
      <RenderedMarkdown source={text} />
    </Suspense>
  )
})

export function PlainText({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">
      {text}
    </p>
  )
}
