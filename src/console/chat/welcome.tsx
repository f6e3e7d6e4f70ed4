import type { VNode } from 'preact';
import type { Slashv1 } from '../../index.ts';
import { CpuNoteView } from '../problem/cpu-note-view.tsx';
import { CopyButton } from '../ui/buttons.tsx';

const SUGGESTIONS = [
  'What is the capital of France?',
  'Write a poem about the sea.',
  'Why is the sky blue?',
];

const LEAD =
  'It speaks OpenAI’s protocol, and the model behind it runs on your own device. What you type stays on this device.';

/** What is promised if questions may go on to other servers. */
function leadWith(upstreams: string[]): string {
  const names = upstreams.join(', ');
  return `It speaks OpenAI’s protocol. Models that run on your own device keep what you type there. If you choose a model of another server (${names}), this chat is sent to it.`;
}

interface WelcomeProps {
  v1: Slashv1;
  /** Names of the servers to which questions may go on. */
  upstreams: string[];
  onSuggestion: (text: string) => void;
}

/** Shown while the conversation is empty: what this page is, its base URL and suggestions. */
export function Welcome({ v1, upstreams, onSuggestion }: WelcomeProps): VNode {
  return (
    <section class="welcome">
      <h1>This page is an API.</h1>
      <p class="lead">{upstreams.length === 0 ? LEAD : leadWith(upstreams)}</p>
      <Address baseURL={v1.baseURL} />
      <div class="chips" role="group" aria-label="Suggestions">
        {SUGGESTIONS.map((text) => (
          <button key={text} type="button" class="chip" onClick={() => onSuggestion(text)}>
            {text}
          </button>
        ))}
      </div>
      <CpuNoteView device={v1.device} />
    </section>
  );
}

/** Emphasises the end of the URL, `/v1`. */
function Address({ baseURL }: { baseURL: string }): VNode {
  const end = baseURL.lastIndexOf('/v1');
  return (
    <div class="address">
      <code title={baseURL}>
        {baseURL.slice(0, end)}
        <em>{baseURL.slice(end)}</em>
      </code>
      <CopyButton label="Copy base URL" text={() => baseURL} />
    </div>
  );
}
