import type { VNode } from 'preact';
import type { Session } from '../app/session.ts';
import { upstreamNames } from '../app/site-options.ts';
import { fill } from '../messages/fill.ts';
import { en, messages } from '../messages/messages.ts';
import { starterName } from '../models/starter.ts';
import { CpuNoteView } from '../problem/cpu-note-view.tsx';
import { CopyButton } from '../ui/buttons.tsx';
import { onDemand, quietly } from '../ui/on-demand.tsx';
import { NetworkChallenge } from './network-challenge.tsx';

const BestOffer = onDemand(
  async () => (await import('../models/best/best-offer.tsx')).BestOffer,
  quietly,
);

interface WelcomeProps {
  session: Session;
  onSuggestion: (text: string) => void;
}

/** Shown while the conversation is empty: what this page is, its base URL, suggestions, and which model answers. */
export function Welcome({ session, onSuggestion }: WelcomeProps): VNode {
  const { v1, shelf, sentBytes } = session;
  const upstreams = upstreamNames();
  const words = messages.value.chat.welcome;
  const model = shelf.find(shelf.selected.value);
  const starter = starterName(model);
  // The starter knows only English.
  const { capital, poem, sky } = starter === undefined ? words : en.chat.welcome;
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
        {[capital, poem, sky].map((text) => (
          <button
            key={text}
            type="button"
            class="chip"
            {...(starter !== undefined && { lang: 'en' })}
            onClick={() => onSuggestion(text)}
          >
            {text}
          </button>
        ))}
      </div>
      <NetworkChallenge sentBytes={sentBytes} />
      {starter !== undefined && (
        <p class="note">{fill(messages.value.models.best.starterNote, { name: starter })}</p>
      )}
      {model?.embedded && <BestOffer session={session} />}
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
