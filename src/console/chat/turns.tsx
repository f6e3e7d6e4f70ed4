import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { goTo } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import {
  alternatives,
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
import type { RunningAnswer } from './answer/running-answer.ts';
import type { ToolResult } from './tools/tool-call.ts';
import { offerUndo } from '../ui/undo.tsx';
import { Fallback } from '../ui/fallback.tsx';
import type { TurnActions } from './turn-footer.tsx';
import { PlainTurn, TurnView } from './turn-view.tsx';
import { RunningTurn, SavedTurn } from './unfinished-turn.tsx';

interface TurnsProps {
  session: Session;
  conversation: Conversation;
  running: RunningAnswer | undefined;
  onReadAloud: (text: string) => void;
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
    conversation.settings.schema.trim() === '' &&
    !shelf.isOfBrowser(model) &&
    !listed.elsewhere.value.has(model)
  );
}

/** The questions and answers of a conversation. */
export function Turns({ session, conversation, running, onReadAloud }: TurnsProps): VNode {
  const { conversations, answerer, shelf } = session;
  const save = (changed: Conversation) => void conversations.save(changed);

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
    onReadAloud: () => onReadAloud(turn.text),
    ...(turn.role === 'assistant' && {
      ...(turn.id === conversation.last && {
        onResults: (results: ToolResult[]) => void answerer.giveResults(conversation, results),
      }),
      ...(canGoOn(session, conversation, turn) && {
        onGoOn: () => void answerer.goOn(conversation, turn),
      }),
      onRetry: () => void answerer.askAgain(conversation, turn),
      ...(hasOlderQuestions(conversation, turn) && { onDropOldest: () => askShorter(turn) }),
    }),
  });
  const askShorter = (turn: Turn) => {
    const settings = { ...conversation.settings, dropsOldest: true as const };
    void answerer.askAgain({ ...conversation, settings }, turn);
  };
  const propsOf = (turn: Turn) => ({
    turn,
    alternatives: alternatives(conversation, turn),
    onShow: (other: Turn) => save(showing(conversation, other)),
    actions: actionsOf(turn),
    isBusy: running !== undefined,
  });
  return (
    <div class="turns">
      <h1 class="visually-hidden">{titleOf(conversation)}</h1>
      {shownTurns(conversation).map((turn) => (
        <Fallback key={turn.id} instead={<PlainTurn turn={turn} />}>
          {running?.turn === turn.id ? (
            <RunningTurn answer={running} progress={shelf.progress.value.get(running.model)} />
          ) : turn.progress === 'writing' ? (
            <SavedTurn
              {...propsOf(turn)}
              onRefresh={() => conversations.refresh(conversation.id)}
            />
          ) : (
            <TurnView {...propsOf(turn)} />
          )}
        </Fallback>
      ))}
      {running === undefined && (
        <KeepingLine conversations={conversations} conversation={conversation} />
      )}
    </div>
  );
}
