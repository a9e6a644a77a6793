import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { isWebAddress } from '../value-types/texts'
import { WebLink } from './web-link'
import './prose.css'

const plugins = [remarkGfm]

/** Links lead only to the web, and nothing is loaded: an image is a link to it. */
const components: Components = {
  // Scrollable areas must be focusable, or the keyboard can't scroll them.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: for the keyboard, see above.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  // biome-ignore lint/a11y/noNoninteractiveTabindex: for the keyboard, see above.
  table: ({ children }) => <table tabIndex={0}>{children}</table>,
  a: ({ href, children }) => <SafeLink address={href}>{children}</SafeLink>,
  img: ({ src, alt }) => (
    <SafeLink address={typeof src === 'string' ? src : undefined}>
      {alt ? t`Image: ${{ description: alt }}` : t`Image`}
    </SafeLink>
  ),
}

function SafeLink({ address, children }: { address: string | undefined; children?: ReactNode }) {
  return address !== undefined && isWebAddress(address) ? (
    <WebLink address={address}>{children}</WebLink>
  ) : (
    <span>{children}</span>
  )
}

export default function RenderedMarkdown({ source }: { source: string }) {
  return (
    <div dir="auto" className="prose">
      <Markdown remarkPlugins={plugins} components={components}>
        {source}
      </Markdown>
    </div>
  )
}
