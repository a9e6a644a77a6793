import { Suspense } from 'react'
import { lazyPart } from '@/components/lazy'
import type { SourceInputProps } from './code-mirror-input'

const CodeMirrorInput = lazyPart(() => import('./code-mirror-input'))

/** Source text with highlighting; plain until the editor is loaded, in the same place and size. */
export function SourceInput(props: SourceInputProps) {
  return (
    <Suspense
      fallback={
        <pre className="max-h-[70dvh] min-h-20 overflow-auto rounded-md border border-line-strong/60 bg-surface px-3 py-1.5 font-mono text-sm leading-[1.4]">
          {props.text.slice(0, 20_000)}
        </pre>
      }
    >
      <CodeMirrorInput {...props} />
    </Suspense>
  )
}
