import { Component, type ReactNode, Suspense } from 'react'

/** A part of the page that loads later, or not at all: on a bad connection, the page works without it. */
export class OptionalPart extends Component<{ children: ReactNode }, { isMissing: boolean }> {
  override state = { isMissing: false }

  static getDerivedStateFromError() {
    return { isMissing: true }
  }

  override render() {
    return this.state.isMissing ? null : <Suspense>{this.props.children}</Suspense>
  }
}
