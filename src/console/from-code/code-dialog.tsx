import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Slashv1 } from '../../index.ts';
import type { ChatSettings } from '../chat/conversation/conversation.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import type { Sampling } from '../models/best/curated.ts';
import { listedSampling } from '../models/best/sampling.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { snippets, type Endpoint, type Snippet } from './snippets.ts';

interface CodeProps {
  v1: Slashv1;
  model: string;
  /** Settings of the chat that is shown. */
  settings: ChatSettings;
  /** Whether the chat sends only what the user has set. */
  isPlain: boolean;
  onClose: () => void;
}

/** Shows how to use this page's API from code: base URL, key and snippets to copy. */
export function CodeDialog({
  v1: { baseURL, apiKey },
  model,
  settings,
  isPlain,
  onClose,
}: CodeProps): VNode {
  const sampling = useSignal<Sampling>({});
  useEffect(() => {
    if (!isPlain) void listedSampling(model).then((found) => (sampling.value = found));
  }, [model]);
  const text = messages.value.fromCode;
  return (
    <Dialog title={text.title} name="code-dialog" onClose={onClose}>
      <p>{text.lead}</p>
      <CopyField name={text.baseURL} value={baseURL} />
      <CopyField name={text.apiKey} value={apiKey} />
      <p class="note">{text.keyLife}</p>
      <CodeExamples
        baseURL={baseURL}
        apiKey={apiKey}
        model={model}
        settings={settings}
        sampling={sampling.value}
      />
    </Dialog>
  );
}

/** Several examples of code that uses a key. */
export function CodeExamples(endpoint: Endpoint): VNode {
  return <SnippetTabs snippets={snippets(endpoint)} />;
}

export function SnippetTabs({ snippets: all }: { snippets: Snippet[] }): VNode {
  const entries = all.map((snippet) => ({
    title: snippet.title,
    panel: <SnippetPanel snippet={snippet} />,
  }));
  return <Tabs label={messages.value.fromCode.examples} entries={entries} />;
}

/** A value with its name and a button that copies it. */
export function CopyField({ name, value }: { name: string; value: string }): VNode {
  return (
    <div class="copy-field">
      <span class="copy-name">{name}</span>
      <code class="copy-value" tabIndex={0}>
        {value}
      </code>
      <CopyButton label={fill(messages.value.fromCode.copy, { name })} text={() => value} />
    </div>
  );
}

function SnippetPanel({ snippet: { note, code } }: { snippet: Snippet }): VNode {
  return (
    <div>
      <p class="note">{note}</p>
      <div class="code">
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
        <CopyButton label={messages.value.fromCode.copyCode} text={() => code} />
      </div>
    </div>
  );
}
