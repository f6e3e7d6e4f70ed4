import { commonLength } from '../../../core/text/common-length.ts';
import { closesThinking } from '../answer/reasoning-splitter.ts';
import type { RenderChat } from '../prompt/render-chat.ts';
import { MARK } from '../tools/format/call-format.ts';
import { toWholeMark } from '../tools/format/differences.ts';
import { KNOWN_THINKING } from './known-thinking.ts';
import { ProbedThoughts } from './probed-thoughts.ts';
import { readEffort, readSwitch, takesBudget } from './read-switch.ts';
import type {
  AnswerMarks,
  ThinkingFormat,
  ThinkingSwitch,
  ThoughtMarks,
} from './thinking-format.ts';

const FIRST_MARK = new RegExp(`^\\s*(?:${MARK.source})\\s*`);
const LAST_MARK = new RegExp(`(?:${MARK.source})\\s*$`);
const TWO_MARKS = new RegExp(`(${MARK.source})(\\s*)(${MARK.source})(\\s*)$`);
/** How a prompt tells a model to think: `<think> {your thoughts} </think>`. */
const TOLD_MARKS = /<(think|thinking|thought|reasoning)>[^<>]*<\/\1>/;
const ONE_MARK = new RegExp(`^\\s*(?:${MARK.source})\\s*$`);

/** What a template says about the parts of an answer. */
export interface AnswerParts {
  /** Undefined: the model does not think aloud. */
  thinking: ThinkingFormat | undefined;
  answer: AnswerMarks;
}

/**
 * How a model thinks and answers, read from its chat template: what differs between conversations with and without a
 * thought, and between prompts with thinking on and off, are the marks.
 *
 * @param source - the template's
 */
export function readThinking(render: RenderChat, source: string): AnswerParts {
  const probes = new ProbedThoughts(render);
  const known = KNOWN_THINKING.find(({ sign }) => source.includes(sign));
  const toggle = readSwitch(probes, source);
  const reading = new Reading(probes, toggle);
  const written = known?.marks ?? reading.marks(source);
  const answer = known?.answer ?? reading.answer(written);
  if (!written) return { thinking: undefined, answer };
  const marks = { open: written.open.trim(), close: written.close.trim() };
  const thinking: ThinkingFormat = {
    marks,
    written,
    byDefault: toggle ? defaultOf(toggle, probes) : unswitched(marks, probes),
    toggle,
    effort: readEffort(probes, source, toggle),
    takesBudget: takesBudget(probes, source),
  };
  return { thinking, answer };
}

function defaultOf({ name, on, off }: ThinkingSwitch, probes: ProbedThoughts) {
  const asked = probes.asked();
  if (asked === probes.asked({ [name]: off })) return 'off';
  return asked === probes.asked({ [name]: on }) ? 'on' : 'choice';
}

/** Every answer may follow an empty thought. */
function unswitched(marks: ThoughtMarks, probes: ProbedThoughts) {
  return closesThinking(probes.begun(), marks) ? 'off' : 'on';
}

/** Reads marks from prompts and conversations. */
class Reading {
  readonly #probes: ProbedThoughts;
  /** With which the model thinks. */
  readonly #on: Record<string, unknown>;
  /** What a prompt ends with if the model is to think, and if it is not. */
  readonly #begun: { on: string; off: string };
  /** What every answer begins with, thoughts or not. */
  readonly #header: string;

  constructor(probes: ProbedThoughts, toggle: ThinkingSwitch | undefined) {
    const off = toggle ? { [toggle.name]: toggle.off } : {};
    this.#probes = probes;
    this.#on = toggle ? { [toggle.name]: toggle.on } : {};
    this.#begun = { on: probes.begun(this.#on), off: probes.begun(off) };
    const texts = [this.#begun.off, probes.answered(off).before];
    // A switch may add a word to the question.
    this.#header = toWholeMark(
      texts.reduce((one, other) => common(one, other) || one, this.#begun.on),
    );
  }

  /** The marks with their white space; undefined: the template shows none. */
  marks(source: string): ThoughtMarks | undefined {
    const shown = this.#fromConversation() ?? this.#fromPrompts(source) ?? fromCuts(source);
    return shown ?? fromWords(this.#probes.asked(this.#on) ?? '');
  }

  #fromConversation(): ThoughtMarks | undefined {
    for (const { before, after } of this.#probes.told(this.#on)) {
      const shared = toWholeMark(common(before, this.#header));
      const rest = before.slice(shared.length);
      const [last] = LAST_MARK.exec(before) ?? [];
      const open = rest.trim() === '' ? last : rest;
      const close = this.#close(after);
      if (open?.trim() && close?.trim()) return { open, close };
    }
    return undefined;
  }

  /** A thought ends with a mark, or its channel ends and another message begins. */
  #close(after: string): string | undefined {
    const [message = ''] = /<[^<>\s]+>[^<>]*$/.exec(this.#header) ?? [];
    const at = message.trim() === '' ? -1 : after.indexOf(message);
    return at < 0 ? FIRST_MARK.exec(after)?.[0] : after.slice(0, at + message.length);
  }

  #fromPrompts(source: string): ThoughtMarks | undefined {
    const { on: begunOn, off: begunOff } = this.#begun;
    const [, open, space = '', close, after = ''] = TWO_MARKS.exec(begunOff) ?? [];
    if (open !== undefined && close !== undefined && isPair(open, close)) {
      const line = space === '' ? '' : '\n';
      return { open: open + line, close: line + close + after };
    }
    const [on, off] = [begunOn, begunOff].map((text) => text.slice(this.#header.length));
    if (on === undefined || off === undefined || !ONE_MARK.test(on)) return undefined;
    if (on !== off && ONE_MARK.test(off)) return { open: on, close: off };
    const counterpart = closing(on.trim());
    return source.includes(counterpart) ? { open: on, close: `\n${counterpart}\n\n` } : undefined;
  }

  /** Marks of the answer's text. */
  answer(thinking: ThoughtMarks | undefined): AnswerMarks {
    const { before, after } = this.#probes.answered();
    const header = toWholeMark(common(before, this.#header));
    // Only what a prompt leaves to the model is the model's to write.
    const isLeft = without(this.#begun.off.slice(header.length), thinking).trim() === '';
    const begin = without(before.slice(header.length), thinking);
    if (!isLeft || begin.trim() === '') return { begin: '', around: [] };
    const end = FIRST_MARK.exec(after)?.[0].trim();
    const around = MARK.test(begin) ? [begin.trim(), ...(end === undefined ? [] : [end])] : [];
    return { begin, around };
  }
}

/** Some templates show the mark only where they cut thoughts off contents. */
function fromCuts(source: string): ThoughtMarks | undefined {
  const [, slash, word] = /\.split\(\s*['"]([<[])\/([^'"<>[\]]+)[>\]]['"]/.exec(source) ?? [];
  if (slash === undefined || word === undefined) return undefined;
  const [from, to] = slash === '<' ? (['<', '>'] as const) : (['[', ']'] as const);
  return pairOf(from, word, to);
}

/** Some templates show the marks only where their system message tells the model to think between them. */
function fromWords(prompt: string): ThoughtMarks | undefined {
  const [, word] = TOLD_MARKS.exec(prompt) ?? [];
  return word === undefined ? undefined : pairOf('<', word, '>');
}

function pairOf(from: string, word: string, to: string): ThoughtMarks {
  return { open: `${from}${word}${to}\n`, close: `\n${from}/${word}${to}\n\n` };
}

function without(text: string, marks: ThoughtMarks | undefined): string {
  return marks ? text.replace(marks.open.trim(), '').replace(marks.close.trim(), '') : text;
}

function isPair(open: string, close: string): boolean {
  return close === closing(open) || close === open.replace('START', 'END');
}

/** The mark that closes another one. */
function closing(open: string): string {
  return `${open.slice(0, 1)}/${open.slice(1)}`;
}

function common(one: string, other: string): string {
  return one.slice(0, commonLength(one, other));
}
