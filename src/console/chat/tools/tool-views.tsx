import type { VNode } from 'preact';
import { messages } from '../../messages/messages.ts';
import { CodeBlock, Settled } from '../markdown/code/code-block.tsx';
import { readableJson } from '../../json.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

interface CallsProps {
  calls: readonly ToolCall[];
  /** Whether more calls may follow. */
  isGrowing?: boolean;
}

/** The functions that an answer calls, with their arguments folded. */
export function ToolCalls({ calls, isGrowing = false }: CallsProps): VNode | null {
  if (calls.length === 0) return null;
  return (
    <Settled.Provider value={!isGrowing}>
      {calls.map(({ id, name, arguments: given }) => (
        <Folded
          key={id}
          title={messages.value.chat.tools.call}
          name={name}
          text={readableJson(given)}
        />
      ))}
    </Settled.Provider>
  );
}

/** The results of called functions, folded. */
export function ToolResults({ results }: { results: readonly ToolResult[] }): VNode {
  return (
    <>
      {results.map(({ call, name, text }) => (
        <Folded
          key={call}
          title={messages.value.chat.tools.result}
          name={name}
          text={readableJson(text)}
        />
      ))}
    </>
  );
}

function Folded({ title, name, text }: { title: string; name: string; text: string }): VNode {
  return (
    <details class="tool-call">
      <summary>
        {title} <code>{name}</code>
      </summary>
      <div class="markdown">
        <CodeBlock text={text} language="json" />
      </div>
    </details>
  );
}
