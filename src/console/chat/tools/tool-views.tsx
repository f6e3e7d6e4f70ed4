import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { Field } from '../../ui/fields.tsx';
import { CodeBlock, Settled } from '../markdown/code-block.tsx';
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

interface FormProps {
  calls: readonly ToolCall[];
  onSend: (results: ToolResult[]) => void;
}

/** Asks the user for the functions' results, because the console itself calls no function. */
export function ToolResultsForm({ calls, onSend }: FormProps): VNode {
  const words = messages.value.chat.tools;
  const texts = useSignal<readonly string[]>(calls.map(() => ''));
  const isWhole = texts.value.every((text) => text.trim() !== '');
  const send = () => {
    onSend(
      calls.map(({ id, name }, index) => ({ call: id, name, text: texts.value[index] ?? '' })),
    );
  };
  return (
    <div class="tool-form" role="group" aria-label={words.form}>
      <p class="note">{words.lead}</p>
      {calls.map(({ id, name }, index) => (
        <Field key={id} name={fill(words.resultOf, { name })}>
          <textarea
            dir="auto"
            class="field mono"
            rows={2}
            spellcheck={false}
            value={texts.value[index] ?? ''}
            onInput={({ currentTarget }) =>
              (texts.value = texts.value.with(index, currentTarget.value))
            }
          />
        </Field>
      ))}
      <div class="button-row">
        <TextButton class="button primary" disabled={!isWhole} onClick={send}>
          {words.send}
        </TextButton>
      </div>
    </div>
  );
}
