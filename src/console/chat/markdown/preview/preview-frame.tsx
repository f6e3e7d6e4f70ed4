import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { member } from '../../../json.ts';
import { messages } from '../../../messages/messages.ts';
import { currentTheme } from '../../../ui/theme.ts';
import { diagramPreview, htmlPreview } from './preview-document.ts';

const DIAGRAM = 'mermaid';

/** Languages that can be looked at. Diagrams are drawn when they are complete, pages when the user asks. */
const PREVIEWED: ReadonlySet<string> = new Set([DIAGRAM, 'html', 'svg']);

export function canPreview(language: string): boolean {
  return PREVIEWED.has(language);
}

export function isDiagram(language: string): boolean {
  return language === DIAGRAM;
}

export type PreviewFailure = 'notDrawn' | 'notFetched';

interface PreviewProps {
  code: string;
  language: string;
  /** Called if it is a diagram that cannot be drawn, or what draws it cannot be fetched. */
  onFail: (why: PreviewFailure) => void;
}

/**
 * Shows what a model has written in a frame without an origin: it cannot reach this page, its storage and the API, and
 * its policy lets it load nothing. The page's own policy keeps it from leading its frame to another address.
 */
export function PreviewFrame({ code, language, onFail }: PreviewProps): VNode | null {
  const frame = useRef<HTMLIFrameElement>(null);
  const content = useSignal('');
  const height = useSignal<number | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const take = ({ source, data }: MessageEvent<unknown>) => {
      if (!isDiagram(language) || source !== frame.current?.contentWindow) return;
      const told = member(data, 'height');
      if (typeof told !== 'number') return;
      if (told > 0) height.value = told;
      else onFail('notDrawn');
    };
    addEventListener('message', take, { signal });
    void documentOf(code, language)
      .then((made) => !signal.aborted && (content.value = made))
      .catch(() => !signal.aborted && onFail('notFetched'));
    return () => ending.abort();
  }, [code, language]);
  if (content.value === '') return null;
  return (
    <iframe
      ref={frame}
      class="preview"
      title={messages.value.chat.code.preview}
      sandbox="allow-scripts"
      srcdoc={content.value}
      {...(height.value !== null && { style: { height: `${height.value}px` } })}
    />
  );
}

async function documentOf(code: string, language: string): Promise<string> {
  if (!isDiagram(language)) return htmlPreview(code);
  const { library } = await import('./mermaid-library.ts');
  return diagramPreview(code, await library(), currentTheme());
}
