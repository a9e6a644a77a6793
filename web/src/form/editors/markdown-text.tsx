import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import { LongValue } from './long-value'

const RenderedMarkdown = lazyPart(() => import('./rendered-markdown'))

/** Rendered Markdown; the source until the renderer is loaded. */
export function MarkdownText({ source, label }: { source: string; label: string }) {
  return (
    <LongValue text={source} label={label} most={50_000}>
      {shown => (
        <Suspense
          fallback={
            <div data-loading className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]">
              {shown}
            </div>
          }
        >
          <RenderedMarkdown source={shown} />
        </Suspense>
      )}
    </LongValue>
  )
}
