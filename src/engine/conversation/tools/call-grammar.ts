import type { Tool, ToolOffer } from '../../../core/operations/jobs/jobs.ts';
import { argumentsGrammar } from '../constraint/answer-grammar.ts';
import { markOf, type CallFormat, type Slot } from './format/call-format.ts';

/** White space that models tend to write before a call that they must make. */
const SPACE = '[ \\n]{0,2}';
/** What templates that write ids insist on. */
const ID = '[0-9A-Za-z]{9}';

/**
 * The EBNF of an answer that may or must call tools. Names and arguments have to match the offer,
 * and the answer ends after the calls.
 *
 * @param answer - EBNF of an answer without calls; undefined: any text
 * @returns `answer`, if no tool may be called
 */
export function callGrammar(
  offer: ToolOffer,
  format: CallFormat,
  answer?: string,
): string | undefined {
  const { tools, choice, parallel } = offer;
  if (choice === 'none') return answer;
  const { end, separator, head, tail } = format;
  const callable = callableTools(offer);
  const isSeveral = parallel && separator !== undefined && typeof choice === 'string';
  const rules = [
    ...root(callable, format, choice === 'auto', answer),
    // Each alternative has a rule of its own: XGrammar 0.1 may merge alternatives that begin alike.
    rule('call', callable.map((_, index) => `call_${index}`).join(' | ')),
    ...callable.map(({ name }, index) =>
      rule(`call_${index}`, `${slotRules(head, name)} arguments_${index}`),
    ),
    ...callable.map((_, index) =>
      rule(`arguments_${index}`, `arguments_${index}_root ${slotRules(tail, '')} end`),
    ),
    rule('end', [literal(end), ...(isSeveral ? [`${literal(separator)} call`] : [])].join(' | ')),
    ...callable.map((tool, index) =>
      prefixed(argumentsOf(tool, tools.indexOf(tool), format), `arguments_${index}_`),
    ),
  ];
  return rules.join('');
}

/** The tools that the model may call. */
export function callableTools({ tools, choice, allowed }: ToolOffer): Tool[] {
  const names = typeof choice === 'object' ? [choice.name] : allowed;
  return tools.filter(({ name }) => names?.includes(name) ?? true);
}

function argumentsOf(tool: Tool, index: number, format: CallFormat): string {
  return argumentsGrammar(
    tool,
    index,
    format.arguments.kind === 'json' ? undefined : format.arguments,
  );
}

function root(
  tools: ToolOffer['tools'],
  format: CallFormat,
  isAuto: boolean,
  answer: string | undefined,
): string[] {
  const { begin, head } = format;
  const calls = rule('calls', `${literal(begin)} call`);
  if (!isAuto) return [rule('root', `${SPACE} calls`), calls];
  if (answer !== undefined) {
    return [rule('root', 'calls | answer_root'), calls, prefixed(answer, 'answer_')];
  }
  const mark = markOf(format);
  if (mark !== undefined) {
    const opened = tools.map(({ name }, index) => {
      const [first = '', ...more] = [begin, ...head].reduce(joined, []);
      const rest = typeof first === 'string' ? first.trimStart().slice(mark.length) : '';
      return `${slotRules([rest, ...more], name)} arguments_${index}`;
    });
    return [
      rule('root', textUntil([[mark, 'marked']])),
      rule('marked', opened.map((_, index) => `marked_${index}`).join(' | ')),
      ...opened.map((body, index) => rule(`marked_${index}`, body)),
    ];
  }
  // Without a mark, only the whole beginning of a call, up to the arguments, shows that it is one.
  const triggers = tools.map(({ name }, index): [string, string] => {
    const texts = head.map((slot) => (typeof slot === 'string' ? slot : name));
    return [begin + texts.join(''), `arguments_${index}`];
  });
  return [rule('root', textUntil(triggers))];
}

/** Joins texts that follow each other. */
function joined(slots: Slot[], slot: Slot): Slot[] {
  const last = slots.at(-1);
  return typeof last === 'string' && typeof slot === 'string'
    ? [...slots.slice(0, -1), last + slot]
    : [...slots, slot];
}

/** Text that contains none of these triggers, or ends with one, followed by that trigger's rule. */
function textUntil(triggers: [trigger: string, rule: string][]): string {
  const pairs = triggers.map(([trigger, name]) => `(${literal(trigger)}, ${name})`);
  return `TagDispatch(${pairs.join(', ')}, stop_eos=true, loop_after_dispatch=false)`;
}

function slotRules(all: readonly Slot[], name: string): string {
  return all.map((slot) => slotRule(slot, name)).join(' ');
}

function slotRule(slot: Slot, name: string): string {
  if (typeof slot === 'string') return literal(slot);
  switch (slot.is) {
    case 'name':
      return literal(name);
    case 'id':
      return ID;
    case 'index':
      return '[0-9]{1,2}';
  }
}

function rule(name: string, body: string): string {
  return `${name} ::= ${body}\n`;
}

/** JSON's escaping is valid in EBNF, too. */
export function literal(text: string): string {
  return JSON.stringify(text);
}

/**
 * The grammar with a prefix before each rule name. Brackets in its character classes are escaped. What follows
 * `TagDispatch` are names of XGrammar's.
 */
export function prefixed(grammar: string, prefix: string): string {
  const lexemes = /TagDispatch.*|"(?:\\.|[^"\\])*"|\[[^\]]*\]|[A-Za-z_]\w*/g;
  const isRule = (lexeme: string) => /^\w/.test(lexeme) && !lexeme.startsWith('TagDispatch');
  return grammar.replace(lexemes, (lexeme) => (isRule(lexeme) ? prefix + lexeme : lexeme));
}
