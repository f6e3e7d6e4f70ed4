import { signal, type ReadonlySignal } from '@preact/signals';
import { start, type Slashv1 } from '../../index.ts';
import { Answerer } from '../chat/answer/answerer.ts';
import { Asker } from '../chat/answer/asker.ts';
import { Drafts } from '../chat/drafts.ts';
import { upstreamOf, type ApiAccess } from '../chat/answer/api-request.ts';
import { Conversations } from '../chat/conversation/conversations.ts';
import { Library } from '../chat/library/library.ts';
import { RequestFeed } from '../requests/request-feed.ts';
import { takeShared } from './shared.ts';
import { siteOptions, upstreamNames } from './site-options.ts';
import { ListedModels } from '../models/listed-models.ts';
import { ModelShelf } from '../models/model-shelf.ts';

/** What all pages of the console share once the API has started. */
export interface Session {
  v1: Slashv1;
  api: ApiAccess;
  shelf: ModelShelf;
  conversations: Conversations;
  answerer: Answerer;
  drafts: Drafts;
  library: Library;
  feed: RequestFeed;
  listed: ListedModels;
  /** How much the questions of this tab have sent to servers, bytes. */
  sentBytes: ReadonlySignal<number>;
}

export type SessionState =
  { name: 'starting' } | { name: 'running'; session: Session } | { name: 'failed'; error: unknown };

export const sessionState = signal<SessionState>({ name: 'starting' });

export async function startSession(): Promise<void> {
  try {
    const v1 = await start(siteOptions());
    const shelf = new ModelShelf(v1);
    const conversations = new Conversations();
    const sentBytes = signal(0);
    const onSent = (bytes: number) => void (sentBytes.value += bytes);
    const api = viaServiceWorker(v1, onSent);
    const listed = new ListedModels(api, shelf, upstreamNames().length > 0);
    const answerer = new Answerer(new Asker(api, shelf, listed, onSent), shelf, conversations);
    const feed = new RequestFeed(v1);
    await conversations.restore();
    const library = new Library(api, shelf);
    const drafts = new Drafts(conversations, library);
    takeShared(drafts);
    const session = {
      v1,
      api,
      shelf,
      conversations,
      answerer,
      drafts,
      library,
      feed,
      listed,
      sentBytes,
    };
    sessionState.value = { name: 'running', session };
    void library.tidy(conversations).catch(() => undefined);
    // If it fails, the page of requests tries again, and says why.
    await Promise.all([shelf.open(), feed.open().catch(() => undefined)]);
  } catch (error) {
    sessionState.value = { name: 'failed', error };
  }
}

/**
 * Sends requests through the service worker, like any page's own requests. They survive a change of the tab that hosts
 * the engine.
 *
 * @param onSent - called with the length of each body that a server gets, bytes
 */
function viaServiceWorker(
  { baseURL, apiKey }: Slashv1,
  onSent: (bytes: number) => void,
): ApiAccess {
  return {
    baseURL,
    apiKey,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (upstreamOf(response) !== undefined) onSent((await new Response(init?.body).blob()).size);
      return response;
    },
  };
}
