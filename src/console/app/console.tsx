import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { ChatPage } from '../chat/chat-page.tsx';
import { messages } from '../messages/messages.ts';
import { ProblemView } from '../problem/problem-view.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { UndoBar } from '../ui/undo.tsx';
import { Navigation } from './navigation.tsx';
import { route, type PageName } from './route.ts';
import { Shortcuts } from './shortcuts.tsx';
import { sessionState, startSession, type Session } from './session.ts';
import { TopBar } from './top-bar.tsx';

type PageView = (props: { session: Session }) => VNode | null;

const VIEWS: Record<PageName, PageView> = {
  chat: ChatPage,
  models: lazyPage(async () => (await import('../models/models-page.tsx')).ModelsPage),
  requests: lazyPage(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  keys: lazyPage(async () => (await import('../keys/keys-page.tsx')).KeysPage),
  playground: lazyPage(
    async () => (await import('../playground/playground-page.tsx')).PlaygroundPage,
  ),
  device: lazyPage(async () => (await import('../device/device-page.tsx')).DevicePage),
};

/** A page whose code is fetched when it is first opened. */
function lazyPage(load: () => Promise<PageView>): PageView {
  return onDemand(load, (failure) => (
    <div class="page">
      <TopBar />
      <main class="scroller">
        <div class="column">{failure}</div>
      </main>
    </div>
  ));
}

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

const DownloadQuestion = onDemand(
  async () => (await import('../models/card/download-question.tsx')).DownloadQuestion,
  // The download waits for it.
  (failure, { shelf }) =>
    failure && (
      <Dialog
        title={messages.value.app.pages.models}
        name="models"
        onClose={() => shelf.dismissQuestion()}
      >
        {failure}
      </Dialog>
    ),
);

function Running({ session }: { session: Session }): VNode {
  const { page } = route.value;
  const View = VIEWS[page];
  return (
    <>
      <Navigation />
      <View key={page} session={session} />
      {session.shelf.question.value && <DownloadQuestion shelf={session.shelf} />}
      <Shortcuts session={session} />
      <UndoBar />
    </>
  );
}
