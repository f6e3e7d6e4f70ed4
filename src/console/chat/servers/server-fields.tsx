import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { Checkbox, Field } from '../../ui/fields.tsx';
import { addServer, knownServers, removeServer, serverUrl } from './known-servers.ts';

const EXAMPLE = 'https://mcp.example/mcp';

interface FieldsProps {
  /** URLs of the servers that this chat uses. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Adds MCP servers, removes them, and chooses which of them a chat uses. */
export function ServerFields({ chosen, onChange }: FieldsProps): VNode {
  const text = messages.value.chat.servers;
  const url = useSignal('');
  const token = useSignal('');
  const problem = useSignal('');
  const toggle = (server: string, isUsed: boolean) => {
    const others = chosen.filter((each) => each !== server);
    onChange(isUsed ? [...others, server] : others);
  };
  const add = (event: Event) => {
    event.preventDefault();
    const wanted = serverUrl(url.value.trim());
    problem.value = wanted === undefined ? text.noUrl : '';
    if (wanted === undefined) return;
    addServer(wanted, token.value.trim());
    toggle(wanted, true);
    url.value = '';
    token.value = '';
  };
  const remove = (server: string) => {
    toggle(server, false);
    removeServer(server);
  };
  return (
    <details class="servers" open={chosen.length > 0}>
      <summary>{text.title}</summary>
      <p class="note">{text.lead}</p>
      {knownServers.value.map((server) => (
        <div class="preset-row" key={server.url}>
          <Checkbox
            checked={chosen.includes(server.url)}
            onChange={(checked) => toggle(server.url, checked)}
          >
            <span class="server-url">{server.url}</span>
          </Checkbox>
          <TextButton
            class="button danger"
            aria-label={fill(text.removeNamed, { url: server.url })}
            onClick={() => remove(server.url)}
          >
            {text.remove}
          </TextButton>
        </div>
      ))}
      <form onSubmit={add}>
        <Field name={text.url} {...(problem.value !== '' && { note: problem.value })}>
          <input
            class="field"
            inputMode="url"
            placeholder={EXAMPLE}
            aria-invalid={problem.value !== ''}
            value={url.value}
            onInput={({ currentTarget }) => (url.value = currentTarget.value)}
          />
        </Field>
        <Field name={text.token} note={text.tokenNote}>
          <input
            class="field"
            type="password"
            autocomplete="off"
            value={token.value}
            onInput={({ currentTarget }) => (token.value = currentTarget.value)}
          />
        </Field>
        <div class="button-row">
          <button class="button" type="submit" disabled={url.value.trim() === ''}>
            {text.add}
          </button>
        </div>
      </form>
    </details>
  );
}
