import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { ChatPage } from '../chat/chat-page.tsx';
import { DevicePage } from '../device/device-page.tsx';
import { KeysPage } from '../keys/keys-page.tsx';
import { messages } from '../messages/messages.ts';
import { ModelsPage } from '../models/models-page.tsx';
import { PlaygroundPage } from '../playground/playground-page.tsx';
import { ProblemView } from '../problem/problem-view.tsx';
import { UndoBar } from '../ui/undo.tsx';
import { Navigation } from './navigation.tsx';
import { RequestsPage } from '../requests/requests-page.tsx';
import { route, type PageName } from './route.ts';
import { Shortcuts } from './shortcuts.tsx';
import { sessionState, startSession, type Session } from './session.ts';
import { TopBar } from './top-bar.tsx';

const VIEWS: Record<PageName, (props: { session: Session }) => VNode> = {
  chat: ChatPage,
  models: ModelsPage,
  requests: RequestsPage,
  keys: KeysPage,
  playground: PlaygroundPage,
  device: DevicePage,
};

/** Starts the API and shows the page that the address names, or why the API could not start. */
export function Console(): VNode {
  useEffect(() => void startSession(), []);
  const state = sessionState.value;
  switch (state.name) {
    case 'starting':
      return (
        <>
          <TopBar />
          <main class="starting">
            <p role="status">{messages.value.app.starting}</p>
          </main>
        </>
      );
    case 'failed':
      return (
        <>
          <TopBar />
          <main class="scroller">
            <ProblemView error={state.error} />
          </main>
        </>
      );
    case 'running':
      return <Running session={state.session} />;
  }
}

function Running({ session }: { session: Session }): VNode {
  const { page } = route.value;
  const View = VIEWS[page];
  return (
    <>
      <Navigation />
      <View key={page} session={session} />
      <Shortcuts session={session} />
      <UndoBar />
    </>
  );
}
