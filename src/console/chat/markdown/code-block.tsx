import { useSignal } from '@preact/signals';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { CopyButton } from '../../ui/buttons.tsx';
import type { CodePart } from './highlighter.ts';
import { MOST_COLOURED } from './code-slices.ts';

/** Whether the block that is drawn will not change any more. */
export const Settled = createContext(true);

/** Code in a language that the fence names. It is coloured once, when it is complete. */
export function CodeBlock({ text, language }: { text: string; language: string }): VNode {
  const isSettled = useContext(Settled);
  const parts = useSignal<readonly CodePart[] | undefined>(undefined);
  useEffect(() => {
    parts.value = undefined;
    if (!isSettled || language === '' || text.length > MOST_COLOURED) return;
    const left = new AbortController();
    void import('./highlighter.ts')
      .then(({ highlight }) => highlight(text, language, left.signal))
      .then((coloured) => {
        if (!left.signal.aborted) parts.value = coloured;
      })
      // Code stays plain without a network, and if it is nested too deeply.
      .catch(() => undefined);
    return () => left.abort();
  }, [text, language, isSettled]);
  return (
    <div class="code">
      <div class="code-bar">
        {language}
        <CopyButton label={messages.value.fromCode.copyCode} text={() => text} />
      </div>
      <pre tabIndex={0}>
        <code>
          {parts.value?.map(({ kind, text: part }, index) =>
            kind === '' ? (
              part
            ) : (
              <span key={index} class={kind}>
                {part}
              </span>
            ),
          ) ?? text}
        </code>
      </pre>
    </div>
  );
}
