import type { Tool, ToolOffer } from '../../../core/operations/jobs.ts';
import { argumentsGrammar, keywordArgumentsGrammar } from '../constraint/answer-grammar.ts';
import type { CallSyntax } from './call-syntax.ts';

/**
 * The EBNF of an answer that may or must call tools. Names and arguments have to match the offer,
 * and the answer ends after the calls.
 *
 * @param answer - EBNF of an answer without calls; undefined: any text
 * @returns `answer`, if no tool may be called
 */
export function callGrammar(
  offer: ToolOffer,
  syntax: CallSyntax,
  answer?: string,
): string | undefined {
  const { tools, choice, parallel } = offer;
  if (choice === 'none') return answer;
  const callable = callableTools(offer);
  const several = parallel && syntax.isParallel && typeof choice === 'string';
  const rules = [
    ...root(callable, syntax, choice === 'auto', answer),
    // Each alternative has a rule of its own: XGrammar 0.1 may merge alternatives that begin alike.
    rule('call', callable.map((_, index) => `call_${index}`).join(' | ')),
    ...callable.map(({ name }, index) =>
      rule(`call_${index}`, `${literal(name, ...syntax.afterName)} arguments_${index}_root`),
    ),
    rule(
      'end',
      [
        literal(...syntax.close),
        ...(several ? [`${literal(...syntax.between)} call end`] : []),
      ].join(' | '),
    ),
    ...callable.map((tool, index) =>
      prefixed(argumentsOf(tool, tools.indexOf(tool), syntax), `arguments_${index}_`),
    ),
  ];
  return rules.join('');
}

/** The tools that the model may call. */
export function callableTools({ tools, choice, allowed }: ToolOffer): Tool[] {
  const names = typeof choice === 'object' ? [choice.name] : allowed;
  return tools.filter(({ name }) => names?.includes(name) ?? true);
}

function argumentsOf(tool: Tool, index: number, syntax: CallSyntax): string {
  return syntax.arguments === 'json'
    ? argumentsGrammar(tool, index)
    : keywordArgumentsGrammar(tool, index);
}

function root(
  tools: ToolOffer['tools'],
  syntax: CallSyntax,
  isAuto: boolean,
  answer: string | undefined,
): string[] {
  const calls = rule('calls', `${literal(...syntax.open)} call end`);
  if (!isAuto) return [rule('root', 'calls'), calls];
  if (answer !== undefined) {
    return [rule('root', 'calls | answer_root'), calls, prefixed(answer, 'answer_')];
  }
  const [mark, ...open] = syntax.open;
  if (syntax.isMarked && mark !== undefined) {
    return [
      rule('root', textUntil([[mark, 'marked']])),
      rule('marked', `${literal(...open)} call end`),
    ];
  }
  // Without a mark, only the whole beginning of a call, up to the arguments, shows that it is one.
  const triggers = tools.map(({ name }, index): [string, string] => [
    [...syntax.open, name, ...syntax.afterName].join(''),
    `begun_${index}`,
  ]);
  const begun = tools.map((_, index) => rule(`begun_${index}`, `arguments_${index}_root end`));
  return [rule('root', textUntil(triggers)), ...begun];
}

/** Text that contains none of these triggers, or ends with one, followed by that trigger's rule. */
function textUntil(triggers: [trigger: string, rule: string][]): string {
  const pairs = triggers.map(([trigger, name]) => `(${literal(trigger)}, ${name})`);
  return `TagDispatch(${pairs.join(', ')}, stop_eos=true, loop_after_dispatch=false)`;
}

function rule(name: string, body: string): string {
  return `${name} ::= ${body}\n`;
}

/** Marks and names are ASCII, so JSON's escaping is valid in EBNF, too. */
function literal(...pieces: string[]): string {
  return JSON.stringify(pieces.join(''));
}

/**
 * The grammar with a prefix before each rule name. Brackets in its character classes are escaped.
 */
function prefixed(grammar: string, prefix: string): string {
  const lexemes = /"(?:\\.|[^"\\])*"|\[[^\]]*\]|[A-Za-z_]\w*/g;
  return grammar.replace(lexemes, (lexeme) => (/^\w/.test(lexeme) ? prefix + lexeme : lexeme));
}
