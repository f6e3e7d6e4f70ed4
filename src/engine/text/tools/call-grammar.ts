import type { Tool, ToolOffer } from '../../../core/protocol/jobs.ts';
import { argumentsGrammar, keywordArgumentsGrammar } from '../answer-grammar.ts';
import type { CallSyntax } from './call-syntax.ts';

/**
 * The EBNF of an answer that may or must call tools: names and arguments are those of the offer, and
 * after the calls the answer ends.
 *
 * @param answer - EBNF that an answer without calls keeps to; undefined: any text
 * @returns what `answer` is where no tool may be called
 */
export function callGrammar(
  { tools, choice, parallel }: ToolOffer,
  syntax: CallSyntax,
  answer?: string,
): string | undefined {
  if (choice === 'none') return answer;
  const named = typeof choice === 'object' ? choice.name : undefined;
  const callable = tools.filter(({ name }) => named === undefined || name === named);
  const several = parallel && syntax.isParallel && named === undefined;
  const rules = [
    ...root(callable, syntax, choice === 'auto', answer),
    // Alternatives that begin alike are kept apart, each in its rule: xgrammar 0.1 may join them.
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
  // Without a mark, a call begins where all of its beginning stands, up to its arguments.
  const triggers = tools.map(({ name }, index): [string, string] => [
    [...syntax.open, name, ...syntax.afterName].join(''),
    `begun_${index}`,
  ]);
  const begun = tools.map((_, index) => rule(`begun_${index}`, `arguments_${index}_root end`));
  return [rule('root', textUntil(triggers)), ...begun];
}

/** Text without any of these triggers, or with one at its end and what its rule says after it. */
function textUntil(triggers: [trigger: string, rule: string][]): string {
  const pairs = triggers.map(([trigger, name]) => `(${literal(trigger)}, ${name})`);
  return `TagDispatch(${pairs.join(', ')}, stop_eos=true, loop_after_dispatch=false)`;
}

function rule(name: string, body: string): string {
  return `${name} ::= ${body}\n`;
}

/** Marks and names are ASCII: what escapes them in JSON does so in EBNF. */
function literal(...pieces: string[]): string {
  return JSON.stringify(pieces.join(''));
}

/** The grammar with other names for its rules. Brackets in its character classes are escaped. */
function prefixed(grammar: string, prefix: string): string {
  const lexemes = /"(?:\\.|[^"\\])*"|\[[^\]]*\]|[A-Za-z_]\w*/g;
  return grammar.replace(lexemes, (lexeme) => (/^\w/.test(lexeme) ? prefix + lexeme : lexeme));
}
