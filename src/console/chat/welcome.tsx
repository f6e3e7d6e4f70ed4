import type { VNode } from 'preact';
import type { Slashv1 } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { CpuNoteView } from '../problem/cpu-note-view.tsx';
import { CopyButton } from '../ui/buttons.tsx';

interface WelcomeProps {
  v1: Slashv1;
  /** Names of the upstream servers that may answer questions. */
  upstreams: string[];
  onSuggestion: (text: string) => void;
}

/** Shown while the conversation is empty: what this page is, its base URL and suggestions. */
export function Welcome({ v1, upstreams, onSuggestion }: WelcomeProps): VNode {
  const words = messages.value.chat.welcome;
  return (
    <section class="welcome">
      <h1>{words.title}</h1>
      <p class="lead">
        {upstreams.length === 0
          ? words.lead
          : fill(words.leadUpstreams, { names: upstreams.join(', ') })}
      </p>
      <Address baseURL={v1.baseURL} />
      <div class="chips" role="group" aria-label={words.suggestions}>
        {[words.capital, words.poem, words.sky].map((text) => (
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
      <CopyButton label={messages.value.chat.welcome.copyURL} text={() => baseURL} />
    </div>
  );
}
