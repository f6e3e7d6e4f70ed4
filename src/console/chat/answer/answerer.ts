import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { messages as texts } from '../../messages/messages.ts';
import type { ModelShelf } from '../../models/model-shelf.ts';
import { roundsOf, withTurn, type Conversation, type Turn } from '../conversation/conversation.ts';
import type { Conversations } from '../conversation/conversations.ts';
import type { Decision } from '../servers/server-step.ts';
import type { ToolResult } from '../tools/tool-call.ts';
import type { Asker, Making } from './asker.ts';
import { RunningAnswer } from './running-answer.ts';
import { saveWhileWriting } from './written-answers.ts';

/** How often in a row code runs before the user is asked: some models call again and again. */
const MOST_ROUNDS = 10;

/**
 * Asks the API and writes its answers into the conversations. One answer runs in each conversation. What is asked
 * before the models are known waits for them.
 */
export class Answerer {
  readonly #asker: Asker;
  readonly #shelf: ModelShelf;
  readonly #conversations: Conversations;
  readonly #running = signal<ReadonlyMap<string, RunningAnswer>>(new Map());
  /** Running answers by their conversation's id. */
  readonly running: ReadonlySignal<ReadonlyMap<string, RunningAnswer>> = this.#running;

  constructor(asker: Asker, shelf: ModelShelf, conversations: Conversations) {
    this.#asker = asker;
    this.#shelf = shelf;
    this.#conversations = conversations;
    // An answer that has been deleted, here or in another tab, is not written on.
    effect(() => {
      for (const [id, answer] of this.#running.value) {
        if (!this.#find(id, answer.turn)) answer.stop();
      }
    });
  }

  /** Adds a question after the last shown turn, or after `parent`, and answers it. */
  async ask(
    conversation: Conversation,
    { text, attachments = [] }: Pick<Turn, 'text' | 'attachments'>,
    parent = conversation.last,
  ): Promise<void> {
    const model = await this.#shelf.whenSelected();
    if (this.#running.value.has(conversation.id)) return;
    const asked = { text, ...(attachments.length > 0 && { attachments }) };
    const question: Turn = { id: crypto.randomUUID(), parent, role: 'user', ...asked };
    const open = withTurn(conversation, question);
    const first = await this.#answer(open, { model });
    const { beside } = conversation.settings;
    if (beside === undefined || beside === model || first.isStopped) return;
    await this.#answer(open, { model: beside, beside: first.id });
  }

  /** Adds the results of the functions that the last answer calls, and asks for the next answer. */
  async giveResults(conversation: Conversation, results: readonly ToolResult[]): Promise<void> {
    const { id, last } = conversation;
    const model = await this.#shelf.whenSelected();
    if (this.#running.value.has(id)) return;
    const turn: Turn = { id: crypto.randomUUID(), parent: last, role: 'tool', text: '', results };
    await this.#answer(withTurn(conversation, turn), { model });
  }

  /** Adds the user's word on the calls that the last answer asks for, and asks for the next answer. */
  async decide(conversation: Conversation, decisions: readonly Decision[]): Promise<void> {
    const { id, last } = conversation;
    const model = await this.#shelf.whenSelected();
    if (this.#running.value.has(id)) return;
    const turn: Turn = { id: crypto.randomUUID(), parent: last, role: 'tool', text: '', decisions };
    await this.#answer(withTurn(conversation, turn), { model });
  }

  /** Answers the question of this answer again. Replaces the answer if it has no text and no tool calls. */
  async askAgain(conversation: Conversation, answer: Turn): Promise<void> {
    const model = await this.#shelf.whenSelected();
    if (this.#running.value.has(conversation.id)) return;
    const isEmpty = answer.text === '' && !answer.toolCalls && !answer.steps;
    const turns = isEmpty
      ? conversation.turns.filter(({ id }) => id !== answer.id)
      : conversation.turns;
    await this.#answer({ ...conversation, turns, last: answer.parent }, { model, again: !isEmpty });
  }

  /** Continues the last shown answer, whose end is missing. */
  async goOn(conversation: Conversation, answer: Turn): Promise<void> {
    const model = await this.#shelf.whenSelected();
    if (this.#running.value.has(conversation.id)) return;
    await this.#answer(conversation, { model, begun: answer });
  }

  stop(id: string): void {
    this.#running.value.get(id)?.stop();
  }

  /** Returns the answer's id, and whether the user has stopped it. */
  async #answer(asked: Conversation, making: Making): Promise<{ id: string; isStopped: boolean }> {
    const { id, last } = asked;
    const { begun, beside } = making;
    const running = new RunningAnswer(making.model, begun);
    const parent = begun ? begun.parent : last;
    const turn: Turn = {
      id: running.turn,
      parent,
      role: 'assistant',
      text: '',
      ...(beside !== undefined && { beside }),
    };
    const soFar = () => running.writtenInto({ ...turn, progress: 'writing' });
    const now = this.#conversations.find(id);
    // An answer beside another one leaves that one shown.
    const begins =
      beside === undefined || !now
        ? withTurn(asked, soFar())
        : { ...withTurn(now, soFar()), last: now.last };
    const saving = this.#conversations.save(begins);
    this.#setRunning(id, running);
    await saving;
    await saveWhileWriting(turn.id, {
      soFar,
      write: () => this.#finished(asked, making, running, turn),
      save: (answer) => this.#save(id, answer),
    });
    // No code runs for an answer beside another one, which the chat may not go on with.
    const isAlone = asked.settings.beside === undefined;
    const results = isAlone ? await this.#resultsOf(asked, running) : undefined;
    this.#setRunning(id, null);
    const answered = this.#conversations.find(id);
    if (results && answered?.last === turn.id) await this.giveResults(answered, results);
    return { id: turn.id, isStopped: running.signal.aborted };
  }

  /** What the code returns that an answer calls. Undefined: it calls none, or the user has a say first. */
  async #resultsOf(asked: Conversation, running: RunningAnswer): Promise<ToolResult[] | undefined> {
    const { code } = asked.settings;
    const { toolCalls = [], progress } = this.#find(asked.id, running.turn) ?? {};
    if (!code || toolCalls.length === 0 || progress || roundsOf(asked) >= MOST_ROUNDS)
      return undefined;
    try {
      const { codeOf, mayRun, runCall } = await import('../tools/run-calls.ts');
      if (!(await mayRun(toolCalls, code))) return undefined;
      running.run(toolCalls.map(({ name }) => name));
      const results = toolCalls.map((call) =>
        runCall(call, codeOf(call, code) ?? '', running.signal),
      );
      return await Promise.all(results);
    } catch {
      // The user has stopped it, or the sandbox could not be fetched: the turn offers to run it.
      return undefined;
    }
  }

  /** Writes the answer to its end, which may be a failure. */
  async #finished(
    asked: Conversation,
    making: Making,
    running: RunningAnswer,
    turn: Turn,
  ): Promise<Turn> {
    const notes: string[] = [];
    let failure: Turn['failure'];
    let wasStopped = false;
    let hasLooped = false;
    try {
      hasLooped = await this.#asker.write(asked, making, running, notes);
    } catch (error) {
      wasStopped = running.signal.aborted;
      if (wasStopped) notes.push(texts.value.chat.notes.stopped);
      else failure = await this.#asker.explain(error, asked, running.model);
    }
    running.end(wasStopped);
    const isUnfinished = wasStopped || failure || notes.includes(texts.value.chat.notes.cutOff);
    return {
      ...running.writtenInto(turn),
      notes,
      ...(failure && { failure }),
      ...(isUnfinished && { progress: 'unfinished' }),
      ...(hasLooped && { progress: 'looped' }),
    };
  }

  /** An answer of a conversation; undefined: it or its conversation has been deleted. */
  #find(id: string, answer: string): Turn | undefined {
    return this.#conversations.find(id)?.turns.find((turn) => turn.id === answer);
  }

  /** Saves an answer, unless it has not changed, or has been deleted meanwhile. */
  async #save(id: string, answer: Turn): Promise<void> {
    const now = this.#conversations.find(id);
    const known = this.#find(id, answer.id);
    if (!now || !known || JSON.stringify(known) === JSON.stringify(answer)) return;
    const next = withTurn(now, answer);
    // Chats that are answered at once would change places in the list with each save.
    const { changedAt } = answer.progress === 'writing' ? now : next;
    await this.#conversations.save({ ...next, changedAt });
  }

  #setRunning(id: string, running: RunningAnswer | null): void {
    const next = new Map(this.#running.value);
    if (running) next.set(id, running);
    else next.delete(id);
    this.#running.value = next;
  }
}
