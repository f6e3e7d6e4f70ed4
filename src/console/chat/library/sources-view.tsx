import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { Source } from './sources.ts';

/** The passages that were found for an answer, folded, the best first. */
export function Sources({ sources }: { sources: readonly Source[] }): VNode {
  const { passages } = messages.value.attachments;
  return (
    <details class="tool-call sources">
      <summary>{fill(passages, { count: sources.length })}</summary>
      <ol>
        {sources.map(({ file, text }, index) => (
          <li key={index}>
            <cite>{file}</cite>
            <blockquote dir="auto" tabIndex={0}>
              {text}
            </blockquote>
          </li>
        ))}
      </ol>
    </details>
  );
}
