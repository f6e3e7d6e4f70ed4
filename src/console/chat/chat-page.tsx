import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { goTo, nameItem, route } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import { TopBar, TopButton } from '../app/top-bar.tsx';
import { CodeDialog } from '../from-code/code-dialog.tsx';
import { Dictation } from '../dictation/dictation.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { shortName } from '../models/model-text.ts';
import { isReadyToUse } from '../models/stages.ts';
import { StatusBar } from '../models/status-bar.tsx';
import { SpeechDialog } from '../speech/speech-dialog.tsx';
import { IconButton, TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useFollowEnd } from '../ui/follow-end.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import type { Attachment } from './attachments/attachment.ts';
import { useDraft } from './attachments/use-draft.ts';
import { ChatSettingsDialog } from './chat-settings.tsx';
import { Composer, focusMessage } from './composer.tsx';
import { ContextMeter } from './context-meter.tsx';
import { ConversationList } from './conversation/conversation-list.tsx';
import {
  isPrivate,
  newConversation,
  PRIVATE,
  type ChatSettings,
  type Conversation,
} from './conversation/conversation.ts';
import { presetOf, presets, type Preset } from './presets/presets.ts';
import { Turns } from './turns.tsx';
import { Welcome } from './welcome.tsx';

type Opened =
  | { name: 'none' }
  | { name: 'code' }
  | { name: 'chats' }
  /** `isForPrompt`: it is opened to save a prompt. */
  | { name: 'settings'; isForPrompt?: true }
  | { name: 'talk' }
  /** `text`: what is spoken; empty: a sample. */
  | { name: 'speech'; text: string };

const TalkDialog = onDemand(
  async () => (await import('../talk/talk-dialog.tsx')).TalkDialog,
  (failure, { onClose }) =>
    failure && (
      <Dialog title={messages.value.talk.title} name="talk" onClose={onClose}>
        {failure}
      </Dialog>
    ),
);

const CLOSED: Opened = { name: 'none' };

/** One conversation, and the list of all. */
export function ChatPage({ session }: { session: Session }): VNode {
  const { v1, api, shelf, listed, conversations, answerer } = session;
  const { chat: words, fromCode, speech } = messages.value;
  const opened = useSignal<Opened>(CLOSED);
  const close = () => (opened.value = CLOSED);
  const { item } = route.value;
  const fresh = useMemo(() => newConversation(item), [item]);
  const freshSettings = useSignal<ChatSettings | null>(null);
  const stored = conversations.list.value.find(({ id }) => id === item || id === fresh.id);
  const forNew = presets.value.find(({ isForNew }) => isForNew)?.settings;
  const conversation: Conversation = stored ?? {
    ...fresh,
    settings: freshSettings.value ?? forNew ?? fresh.settings,
  };
  const { id } = conversation;
  const running = answerer.running.value.get(id);
  const end = useFollowEnd(conversation.turns.length > 0);
  const dictation = useMemo(() => new Dictation(api), [api]);
  useEffect(() => () => dictation.cancel(), [dictation]);
  const { draft, size, obstacle, hint } = useDraft(session, conversation, item);

  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      // If a dialog is above the page, Esc closes the dialog instead.
      if (key === 'Escape' && !document.querySelector('dialog:modal')) answerer.stop(id);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [id]);
  useEffect(end.follow, [id]);

  const ask = (text: string, attachments: readonly Attachment[] = []) => {
    void answerer.ask(conversation, { text, attachments });
    nameItem('chat', id);
    end.follow();
  };
  const setSettings = (settings: ChatSettings) => {
    if (stored) void conversations.save({ ...stored, settings });
    else freshSettings.value = settings;
  };
  const apply = ({ settings, model }: Preset) => {
    setSettings(settings);
    void shelf.select(model);
  };
  const newChat = (kind: '' | typeof PRIVATE = '') => {
    close();
    freshSettings.value = null;
    goTo('chat', kind);
    focusMessage();
  };
  const transcriber = shelf.all.value.find(
    (model) => model.task === 'transcription' && isReadyToUse(model),
  );
  const server = listed.elsewhere.value.get(shelf.selected.value);
  const others = shelf.models.value
    .filter((model) => isReadyToUse(model) && model.id !== shelf.selected.value)
    .map((model) => model.id);
  const { beside } = conversation.settings;
  const preset = presetOf(conversation.settings);
  const speaking = shelf.all.value.filter(({ task }) => task === 'speech');

  return (
    <div class="page chat-page">
      <TopBar>
        <TopButton
          icon="history"
          label={words.chats}
          isNarrowOnly
          onClick={() => (opened.value = { name: 'chats' })}
        />
        {speaking.length > 0 && (
          <TopButton
            icon="sound"
            label={speech.title}
            onClick={() => (opened.value = { name: 'speech', text: '' })}
          />
        )}
        <TopButton icon="plus" label={words.newChat} isNarrowOnly onClick={() => newChat()} />
        <TopButton
          icon="code"
          label={fromCode.title}
          onClick={() => (opened.value = { name: 'code' })}
        />
      </TopBar>
      <aside class="rail" aria-label={words.chats}>
        <ConversationList conversations={conversations} shown={id} onNew={newChat} />
      </aside>
      <main class="scroller" ref={end.scroller}>
        <div class="column" ref={end.content}>
          {conversation.turns.length === 0 ? (
            <>
              <Welcome session={session} onSuggestion={ask} />
              {isPrivate(id) ? (
                <p class="note keeping">{words.privateNote}</p>
              ) : (
                <TextButton class="button narrow-only" onClick={() => newChat(PRIVATE)}>
                  {words.privateChat}
                </TextButton>
              )}
            </>
          ) : (
            <Turns
              session={session}
              conversation={conversation}
              running={running}
              onVoices={(text) => (opened.value = { name: 'speech', text })}
            />
          )}
        </div>
      </main>
      <section class="dock" aria-label={words.dock}>
        {end.button}
        <StatusBar shelf={shelf} />
        {server !== undefined && (
          <p class="note" role="status">
            {fill(words.leaves, { name: server })}
          </p>
        )}
        {preset && (
          <p class="note" role="status">
            {fill(words.presets.used, { name: preset.name })}
          </p>
        )}
        {beside !== undefined && others.includes(beside) && (
          <p class="note beside-note" role="status">
            {fill(words.beside.note, { name: shortName(beside) })}{' '}
            <TextButton onClick={() => setSettings(alone(conversation.settings))}>
              {words.beside.end}
            </TextButton>
          </p>
        )}
        <Composer
          isAvailable={shelf.selected.value !== ''}
          isAnswering={running !== undefined}
          draft={draft}
          size={size}
          obstacle={obstacle}
          hint={hint}
          dictation={dictation}
          transcriber={transcriber?.id}
          onSend={(text) => ask(text, draft.take())}
          onStop={() => answerer.stop(id)}
          onPreset={apply}
          onNewPrompt={() => (opened.value = { name: 'settings', isForPrompt: true })}
        >
          <ModelPicker shelf={shelf} listed={listed} />
          <IconButton
            icon="sliders"
            label={words.settings}
            aria-expanded={opened.value.name === 'settings'}
            onClick={() =>
              (opened.value = opened.value.name === 'settings' ? CLOSED : { name: 'settings' })
            }
          />
          {transcriber !== undefined && speaking.some(isReadyToUse) && (
            <IconButton
              icon="talk"
              label={messages.value.talk.title}
              disabled={shelf.selected.value === ''}
              onClick={() => (opened.value = { name: 'talk' })}
            />
          )}
          <ContextMeter
            conversation={conversation}
            context={listed.contextOf(shelf.selected.value)}
          />
        </Composer>
      </section>
      <div class="visually-hidden" role="log" aria-label={words.answer}>
        {running?.said.value.map((sentence, index) => (
          <p key={index}>{sentence}</p>
        ))}
      </div>
      {opened.value.name === 'code' && (
        <CodeDialog
          v1={v1}
          model={shelf.selected.value}
          settings={conversation.settings}
          isPlain={shelf.isOfBrowser(shelf.selected.value) || server !== undefined}
          onClose={close}
        />
      )}
      {opened.value.name === 'speech' && (
        <SpeechDialog v1={v1} shelf={shelf} text={opened.value.text} onClose={close} />
      )}
      {opened.value.name === 'talk' && transcriber !== undefined && (
        <TalkDialog
          session={session}
          conversation={conversation}
          transcriber={transcriber.id}
          onClose={close}
        />
      )}
      {opened.value.name === 'settings' && (
        <ChatSettingsDialog
          chat={id}
          settings={conversation.settings}
          others={others}
          onChange={setSettings}
          model={shelf.selected.value}
          onPreset={apply}
          isForPrompt={opened.value.isForPrompt === true}
          onClose={close}
        />
      )}
      {opened.value.name === 'chats' && (
        <Dialog title={words.chats} name="chats" onClose={close}>
          <ConversationList
            conversations={conversations}
            shown={id}
            onNew={newChat}
            onLeave={close}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Settings without a model that answers beside the chosen one. */
function alone({ beside: _beside, ...settings }: ChatSettings): ChatSettings {
  return settings;
}
