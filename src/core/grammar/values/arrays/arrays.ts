import { EMPTY, NEVER, optional, sequence, text, type Expression } from '../../ebnf/expression.ts';
import { repeated } from '../../ebnf/repetition.ts';
import { type Conjunction, countsOf, type Counts } from '../../schema/schema.ts';
import { demandingElements } from './demanding-elements.ts';
import {
  areUnique,
  elementDemands,
  elementSchemas,
  prefixLength,
  type ArrayTools,
} from './elements.ts';
import { uniqueElements } from './unique-elements.ts';

/** @param key - identifies this array among all others: the prefix of its rules' keys */
export function arrayExpression(schemas: Conjunction, key: string, tools: ArrayTools): Expression {
  const counts = countsOf(schemas, 'minItems', 'maxItems');
  const { open, close } = tools.form;
  return sequence(text(open), elements(schemas, counts, key, tools), text(close));
}

function elements(
  schemas: Conjunction,
  counts: Counts,
  key: string,
  tools: ArrayTools,
): Expression {
  const demands = elementDemands(schemas);
  if (areUnique(schemas) && !(counts.max !== undefined && counts.max <= 1)) {
    return uniqueElements(schemas, counts, key, tools);
  }
  if (demands.length > 0) return demandingElements(schemas, demands, counts, key, tools);
  return new Elements(schemas, counts, key, tools).from(0);
}

class Elements {
  readonly #schemas: Conjunction;
  readonly #counts: Counts;
  readonly #key: string;
  readonly #tools: ArrayTools;
  readonly #length: number;

  constructor(schemas: Conjunction, counts: Counts, key: string, tools: ArrayTools) {
    this.#schemas = schemas;
    this.#counts = counts;
    this.#key = key;
    this.#tools = tools;
    this.#length = prefixLength(schemas);
  }

  /** What follows the first `index` elements. */
  from(index: number): Expression {
    const { min, max } = this.#counts;
    if (max !== undefined && index >= max) return min > max ? NEVER : EMPTY;
    if (index === this.#length && index > 0) return this.#more(index);
    const element = this.#tools.value(elementSchemas(this.#schemas, index));
    const after = index < this.#length ? this.from(index + 1) : this.#more(1);
    const present = sequence(index > 0 ? this.#tools.form.comma : EMPTY, element, after);
    return index < min ? present : optional(present);
  }

  /** What follows the first `index` elements, if the same schemas hold for all that follow. */
  #more(index: number): Expression {
    const { min, max } = this.#counts;
    const { maker, form, value } = this.#tools;
    const key = `${this.#key} element`;
    const element = maker.define(key, () =>
      sequence(form.comma, value(elementSchemas(this.#schemas, this.#length))),
    );
    const most = max === undefined ? undefined : max - index;
    return repeated(maker, key, element, Math.max(0, min - index), most);
  }
}
