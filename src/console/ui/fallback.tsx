import { Component, type ComponentChildren } from 'preact';

interface FallbackProps {
  /** Shown in place of children that throw while they are drawn. */
  instead: ComponentChildren;
  children: ComponentChildren;
}

/** Keeps a part of the page that cannot be drawn from taking the whole page with it. */
export class Fallback extends Component<FallbackProps, { hasFailed: boolean }> {
  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override state = { hasFailed: false };

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render({ instead, children }: FallbackProps): ComponentChildren {
    return this.state.hasFailed ? instead : children;
  }
}
