import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { goTo } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import {
  alternatives,
  branchedOff,
  hasOlderQuestions,
  showing,
  shownTurns,
  titleOf,
  withoutTurn,
  withTurn,
  type Conversation,
  type Turn,
} from './conversation/conversation.ts';
import type { RunningAnswer } from './answer/running-answer.ts';
import type { ToolResult } from './tools/tool-call.ts';
import { Fallback } from '../ui/fallback.tsx';
import { PlainTurn, RunningTurn, TurnView, type TurnActions } from './turn-view.tsx';

interface TurnsProps {
  session: Session;
  conversation: Conversation;
  running: RunningAnswer | undefined;
  onReadAloud: (text: string) => void;
}

/** The questions and answers of a conversation. */
export function Turns({ session, conversation, running, onReadAloud }: TurnsProps): VNode {
  const { conversations, answerer } = session;
  const save = (changed: Conversation) => void conversations.save(changed);

  const edit = (turn: Turn, text: string) => {
    if (turn.role === 'user') {
      return void answerer.ask(conversation, { ...turn, text }, turn.parent);
    }
    const { id: _, failure: _failure, ...rest } = turn;
    save(
      withTurn(conversation, {
        ...rest,
        id: crypto.randomUUID(),
        text,
        notes: [messages.value.chat.notes.edited],
      }),
    );
  };
  const branch = (turn: Turn) => {
    const branched = branchedOff(conversation, turn);
    save(branched);
    goTo('chat', branched.id);
  };
  const actionsOf = (turn: Turn): TurnActions => ({
    onEdit: (text) => edit(turn, text),
    onDelete: () => save(withoutTurn(conversation, turn)),
    onBranch: () => branch(turn),
    onReadAloud: () => onReadAloud(turn.text),
    ...(turn.role === 'assistant' && {
      ...(turn.id === conversation.last && {
        onResults: (results: ToolResult[]) => void answerer.giveResults(conversation, results),
      }),
      onRetry: () => void answerer.askAgain(conversation, turn),
      ...(hasOlderQuestions(conversation, turn) && { onDropOldest: () => askShorter(turn) }),
    }),
  });
  const askShorter = (turn: Turn) => {
    const settings = { ...conversation.settings, dropsOldest: true as const };
    void answerer.askAgain({ ...conversation, settings }, turn);
  };
  return (
    <div class="turns">
      <h1 class="visually-hidden">{titleOf(conversation)}</h1>
      {shownTurns(conversation).map((turn) => (
        <Fallback key={turn.id} instead={<PlainTurn turn={turn} />}>
          {running?.turn === turn.id ? (
            <RunningTurn answer={running} />
          ) : (
            <TurnView
              turn={turn}
              alternatives={alternatives(conversation, turn)}
              onShow={(other) => save(showing(conversation, other))}
              actions={actionsOf(turn)}
              isBusy={running !== undefined}
            />
          )}
        </Fallback>
      ))}
    </div>
  );
}
