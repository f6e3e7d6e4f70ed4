import type { VNode } from 'preact';
import type { Slashv1 } from '../../index.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { snippets, type Snippet } from './snippets.ts';

interface CodeProps {
  v1: Slashv1;
  model: string;
  onClose: () => void;
}

/** Shows how to use this page's API from code: base URL, key and snippets to copy. */
export function CodeDialog({ v1: { baseURL, apiKey }, model, onClose }: CodeProps): VNode {
  return (
    <Dialog title="Use it from code" name="code-dialog" onClose={onClose}>
      <p>Any OpenAI client works with this base URL and this key.</p>
      <CopyField name="Base URL" value={baseURL} />
      <CopyField name="API key" value={apiKey} />
      <p class="note">The key works while this tab is open.</p>
      <CodeExamples baseURL={baseURL} apiKey={apiKey} model={model} />
    </Dialog>
  );
}

/** Code for a key, in several ways. */
export function CodeExamples(endpoint: { baseURL: string; apiKey: string; model: string }): VNode {
  return <SnippetTabs snippets={snippets(endpoint)} />;
}

export function SnippetTabs({ snippets: all }: { snippets: Snippet[] }): VNode {
  const entries = all.map((snippet) => ({
    title: snippet.title,
    panel: <SnippetPanel snippet={snippet} />,
  }));
  return <Tabs label="Examples" entries={entries} />;
}

/** A value with its name and a button that copies it. */
export function CopyField({ name, value }: { name: string; value: string }): VNode {
  return (
    <div class="copy-field">
      <span class="copy-name">{name}</span>
      <code class="copy-value" tabIndex={0}>
        {value}
      </code>
      <CopyButton label={`Copy ${name}`} text={() => value} />
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
        <CopyButton label="Copy code" text={() => code} />
      </div>
    </div>
  );
}
