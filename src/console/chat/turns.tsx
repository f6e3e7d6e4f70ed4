import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { installOffer } from '../app/install.ts';
import { goTo } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import {
  alternatives,
  besides,
  branchedOff,
  edited,
  hasOlderQuestions,
  showing,
  shownTurns,
  titleOf,
  withoutTurn,
  withTurn,
  withTurnsOf,
  type Conversation,
  type Turn,
} from './conversation/conversation.ts';
import { KeepingLine } from './conversation/keeping.tsx';
import { isReadyToUse } from '../models/stages.ts';
import { storesOf, type StoredAttachment } from './attachments/attachment.ts';
import type { RunningAnswer } from './answer/running-answer.ts';
import type { Decision } from './servers/server-step.ts';
import type { ToolResult } from './tools/tool-call.ts';
import { onDemand, quietly } from '../ui/on-demand.tsx';
import { offerUndo } from '../ui/undo.tsx';
import { TextButton } from '../ui/buttons.tsx';
import { Fallback } from '../ui/fallback.tsx';
import type { TurnActions } from './turn-footer.tsx';
import { PlainTurn, TurnView } from './turn-view.tsx';

const InstallLine = onDemand(
  async () => (await import('../app/install-line.tsx')).InstallLine,
  quietly,
);
const GoneFilesHint = onDemand(
  async () => (await import('./library/gone-files-hint.tsx')).GoneFilesHint,
  quietly,
);
const ReadAloud = onDemand(async () => (await import('../speech/read-aloud.tsx')).ReadAloud);

interface TurnsProps {
  session: Session;
  conversation: Conversation;
  running: RunningAnswer | undefined;
  /** Offers voices to read a text aloud. */
  onVoices: (text: string) => void;
}

/**
 * Whether an answer can be continued: its text goes to the model as the beginning of the answer. Formats always begin
 * anew, and only this device's engines are known to continue.
 */
function canGoOn({ shelf, listed }: Session, conversation: Conversation, turn: Turn): boolean {
  const model = shelf.selected.value;
  return (
    turn.progress !== undefined &&
    turn.id === conversation.last &&
    turn.text !== '' &&
    turn.toolCalls === undefined &&
    !turn.steps?.some(({ type }) => type === 'request') &&
    conversation.settings.schema.trim() === '' &&
    !shelf.isOfBrowser(model) &&
    !listed.elsewhere.value.has(model)
  );
}

/** The turns to choose from. Of answers beside each other, all are in sight. */
function alternativesOf(conversation: Conversation, turn: Turn): Turn[] {
  const beside = new Set(besides(conversation, turn));
  return alternatives(conversation, turn).filter((each) => each === turn || !beside.has(each));
}

/** The questions and answers of a conversation. */
export function Turns({ session, conversation, running, onVoices }: TurnsProps): VNode {
  const { conversations, answerer, shelf } = session;
  const save = (changed: Conversation) => void conversations.save(changed);

  /** Id of the answer that is read aloud; empty: none. */
  const spoken = useSignal('');
  const readAloud = (turn: Turn) => {
    const isReady = shelf.all.value.some((model) => model.task === 'speech' && isReadyToUse(model));
    if (isReady) spoken.value = turn.id;
    else onVoices(turn.text);
  };
  const edit = (turn: Turn, text: string) => {
    if (turn.role === 'user') {
      return void answerer.ask(conversation, { ...turn, text }, turn.parent);
    }
    save(withTurn(conversation, edited(turn, text)));
  };
  const remove = (turn: Turn) => {
    save(withoutTurn(conversation, turn));
    offerUndo(messages.value.chat.turn.deleted, () => {
      const now = conversations.find(conversation.id);
      if (now) save(withTurnsOf(now, conversation));
    });
  };
  const branch = (turn: Turn) => {
    const branched = branchedOff(conversation, turn);
    save(branched);
    goTo('chat', branched.id);
  };
  const actionsOf = (turn: Turn): TurnActions => ({
    onEdit: (text) => edit(turn, text),
    onDelete: () => remove(turn),
    onBranch: () => branch(turn),
    onReadAloud: () => readAloud(turn),
    ...(turn.role === 'assistant' && {
      ...(turn.id === conversation.last && {
        onResults: (results: ToolResult[]) => void answerer.giveResults(conversation, results),
        onDecide: (decisions: Decision[]) => void answerer.decide(conversation, decisions),
      }),
      ...(canGoOn(session, conversation, turn) && {
        onGoOn: () => void answerer.goOn(conversation, turn),
      }),
      onRetry: () => void answerer.askAgain(conversation, turn),
      ...(hasOlderQuestions(conversation, turn) && { onDropOldest: () => askShorter(turn) }),
      onInstead: (instead) => void askWith(turn, instead),
    }),
  });
  const askShorter = (turn: Turn) => {
    const settings = { ...conversation.settings, dropsOldest: true as const };
    void answerer.askAgain({ ...conversation, settings }, turn);
  };
  const askWith = async (turn: Turn, instead: StoredAttachment | undefined) => {
    const { withFilesInstead } = await import('./library/gone-files.ts');
    const now = conversations.find(conversation.id);
    const gone = turn.failure?.gone;
    if (now && gone) await answerer.askAgain(withFilesInstead(now, gone, instead), turn);
  };
  const propsOf = (turn: Turn) => ({
    turn,
    alternatives: alternativesOf(conversation, turn),
    onShow: (other: Turn) => save(showing(conversation, other)),
    actions: actionsOf(turn),
    code: conversation.settings.code,
    library: session.library,
    isBusy: running !== undefined,
    running:
      running?.turn === turn.id
        ? { answer: running, progress: shelf.progress.value.get(running.model) }
        : undefined,
    onRefresh: () => conversations.refresh(conversation.id),
  });
  const viewOf = (turn: Turn) => (
    <Fallback key={turn.id} instead={<PlainTurn turn={turn} />}>
      <TurnView {...propsOf(turn)} />
      {spoken.value === turn.id && (
        <ReadAloud session={session} text={turn.text} onClose={() => (spoken.value = '')} />
      )}
    </Fallback>
  );
  const shown = shownTurns(conversation);
  // A question that has failed for that reason says so itself.
  const canHaveGone = storesOf(shown).length > 0 && !shown.at(-1)?.failure?.gone;
  return (
    <div class="turns">
      <h1 class="visually-hidden">{titleOf(conversation)}</h1>
      {shown.map((turn) => {
        const beside = turn.role === 'assistant' ? besides(conversation, turn) : [turn];
        if (beside.length < 2) return viewOf(turn);
        return (
          <div class="beside-answers" key={beside[0]?.id}>
            {beside.map((each) => (
              <div key={each.id}>
                {viewOf(each)}
                {each !== turn && running === undefined && (
                  <TextButton onClick={() => save(showing(conversation, each))}>
                    {messages.value.chat.beside.goOnWith}
                  </TextButton>
                )}
              </div>
            ))}
          </div>
        );
      })}
      {running === undefined && (
        <>
          {canHaveGone && <GoneFilesHint session={session} conversation={conversation} />}
          <KeepingLine conversations={conversations} conversation={conversation} />
          {installOffer.value && <InstallLine />}
        </>
      )}
    </div>
  );
}
