import { useSignal } from '@preact/signals';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { messages } from '../../../messages/messages.ts';
import { CopyButton, IconButton } from '../../../ui/buttons.tsx';
import { NotFetched } from '../../../ui/on-demand.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { codeFileName } from './code-file.ts';
import type { CodePart } from './highlighter.ts';
import { MOST_COLOURED } from './code-slices.ts';
import {
  canPreview,
  isDiagram,
  PreviewFrame,
  type PreviewFailure,
} from '../preview/preview-frame.tsx';

/** Whether the block that is drawn will not change any more. */
export const Settled = createContext(true);

/** Code in a language that the fence names, with buttons to look at what it draws, to wrap its lines, save and copy it. */
export function CodeBlock({ text, language }: { text: string; language: string }): VNode {
  const isSettled = useContext(Settled);
  const isWrapped = useSignal(false);
  const isPreviewed = useSignal(isDiagram(language));
  const failure = useSignal<PreviewFailure | null>(null);
  const preview = (isShown: boolean) => {
    failure.value = null;
    isPreviewed.value = isShown;
  };
  const words = messages.value.chat.code;
  const shows = isSettled && isPreviewed.value && canPreview(language);
  return (
    <div class="code">
      <div class="code-bar">
        <span>{language}</span>
        {isSettled && canPreview(language) && (
          <IconButton
            icon="eye"
            label={words.preview}
            aria-pressed={isPreviewed.value}
            onClick={() => preview(!isPreviewed.value)}
          />
        )}
        {!shows && (
          <IconButton
            icon="wrap"
            label={words.wrap}
            aria-pressed={isWrapped.value}
            onClick={() => (isWrapped.value = !isWrapped.value)}
          />
        )}
        <IconButton
          icon="download"
          label={words.save}
          onClick={() => saveFile(text, codeFileName(language))}
        />
        <CopyButton label={messages.value.fromCode.copyCode} text={() => text} />
      </div>
      {failure.value === 'notDrawn' && (
        <p class="note" role="status">
          {words.notDrawn}
        </p>
      )}
      {failure.value === 'notFetched' && <NotFetched onRetry={() => preview(true)} />}
      {shows ? (
        <PreviewFrame
          code={text}
          language={language}
          onFail={(why) => {
            failure.value = why;
            isPreviewed.value = false;
          }}
        />
      ) : (
        <pre tabIndex={0} class={isWrapped.value ? 'wrapped' : ''}>
          <Coloured text={text} language={language} isSettled={isSettled} />
        </pre>
      )}
    </div>
  );
}

interface ColouredProps {
  text: string;
  language: string;
  isSettled: boolean;
}

/** Code is coloured once, when it is complete. */
function Coloured({ text, language, isSettled }: ColouredProps): VNode {
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
  );
}
