import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { readableJson } from '../../json.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { Field } from '../../ui/fields.tsx';
import { CodeBlock } from '../markdown/code/code-block.tsx';
import { allow } from './allowed-code.ts';
import { codeOf, errorText, runCall, type ToolCode } from './run-calls.ts';
import type { ToolCall, ToolResult } from './tool-call.ts';

interface FormProps {
  calls: readonly ToolCall[];
  code: ToolCode;
  onSend: (results: ToolResult[]) => void;
}

/**
 * Asks the user for the results of functions that have no code, and for their word on code, which runs without being
 * asked about from then on.
 */
export function ToolResultsForm({ calls, code, onSend }: FormProps): VNode {
  const words = messages.value.chat.tools;
  const texts = useSignal<readonly string[]>(calls.map(() => ''));
  const isRunning = useSignal(false);
  const leaving = useMemo(() => new AbortController(), []);
  useEffect(() => () => leaving.abort(), [leaving]);
  const bodies = calls.map((call) => codeOf(call, code));
  const hasCode = bodies.some((body) => body !== undefined);
  const isWhole = texts.value.every((text, at) => bodies[at] !== undefined || text.trim() !== '');

  const send = async (resultOf: (call: ToolCall, body: string) => Promise<ToolResult>) => {
    isRunning.value = true;
    try {
      const results = calls.map(async (call, at): Promise<ToolResult> => {
        const body = bodies[at];
        if (body !== undefined) return resultOf(call, body);
        return { call: call.id, name: call.name, text: texts.value[at] ?? '' };
      });
      onSend(await Promise.all(results));
    } catch {
      // The form is no longer shown.
    } finally {
      isRunning.value = false;
    }
  };
  const run = () =>
    send(async (call, body) => {
      await allow(call.name, body);
      return runCall(call, body, leaving.signal);
    });
  const deny = () =>
    send(async ({ id: call, name }) => ({
      call,
      name,
      text: errorText('The user did not allow this call.'),
    }));
  return (
    <div class="tool-form" role="group" aria-label={words.form}>
      {calls.map((call, at) => {
        const body = bodies[at];
        return body === undefined ? (
          <Field key={call.id} name={fill(words.resultOf, { name: call.name })} note={words.lead}>
            <textarea
              dir="auto"
              class="field mono"
              rows={2}
              spellcheck={false}
              value={texts.value[at] ?? ''}
              onInput={({ currentTarget }) =>
                (texts.value = texts.value.with(at, currentTarget.value))
              }
            />
          </Field>
        ) : (
          <CodeToRun key={call.id} call={call} code={body} />
        );
      })}
      <div class="button-row">
        {hasCode && (
          <TextButton disabled={isRunning.value || !isWhole} onClick={() => void deny()}>
            {messages.value.chat.servers.deny}
          </TextButton>
        )}
        <TextButton
          class="button primary"
          disabled={isRunning.value || !isWhole}
          onClick={() => void run()}
        >
          {hasCode ? words.run : words.send}
        </TextButton>
      </div>
    </div>
  );
}

/** A call with the code that it would run, in sight. */
function CodeToRun({ call, code }: { call: ToolCall; code: string }): VNode {
  const words = messages.value.chat.tools;
  return (
    <section class="server-request" aria-label={words.request}>
      <p>
        {words.asks} <code>{call.name}</code>
      </p>
      <div class="markdown">
        <CodeBlock text={readableJson(call.arguments)} language="json" />
        <CodeBlock text={code} language="javascript" />
      </div>
      <p class="note">{words.sandboxed}</p>
    </section>
  );
}
