import { memo, Suspense } from 'react'
import { lazyPart } from '@/components/lazy'

const RenderedMarkdown = lazyPart(() => import('@/form/editors/rendered-markdown'))

/** What an agent wrote. Until the formatting is loaded, and for as long, it stands there as it came. */
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
