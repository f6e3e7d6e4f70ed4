import { choice, EMPTY, NEVER, sequence, type Expression } from '../../ebnf/expression.ts';
import { acceptsText, complement, intersect } from '../../regular/automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import type { Demands, Located } from '../../schema/schema.ts';
import { languageOf, type NameClass } from './names.ts';
import type { ObjectShape, ObjectTools } from './object-shape.ts';

/** Further members with undeclared names are left out: counting them would need too many rules. */
const MAX_OTHERS = 32;

interface Demand {
  names: Automaton;
  value: Located;
}

/** A class of names that all demands treat alike. */
interface DemandedClass extends NameClass {
  /** The demands that a member with such a name can satisfy. */
  demands: readonly number[];
}

/** The state of an object that is being written. */
interface Progress {
  /** How many of the declared names are decided. */
  index: number;
  /** How many members are written. */
  count: number;
  /** The demands that are satisfied. */
  met: readonly number[];
}

/** The members of an object, some of which must satisfy demands. */
export function demandingMembers(
  shape: ObjectShape,
  wanted: readonly NonNullable<Demands['someMember']>[],
  key: string,
  tools: ObjectTools,
): Expression {
  const demands = wanted.map(({ name, value }) => ({
    names: languageOf([name], tools.branches).automaton,
    value,
  }));
  return new DemandingMembers(shape, demands, key, tools).after({ index: 0, count: 0, met: [] });
}

class DemandingMembers {
  readonly #shape: ObjectShape;
  readonly #demands: readonly Demand[];
  readonly #key: string;
  readonly #tools: ObjectTools;
  readonly #classes: readonly DemandedClass[];
  /** Members are counted up to this number. */
  readonly #cap: number;

  constructor(shape: ObjectShape, demands: readonly Demand[], key: string, tools: ObjectTools) {
    this.#shape = shape;
    this.#demands = demands;
    this.#key = key;
    this.#tools = tools;
    this.#classes = demandedClasses(shape.classes, demands);
    const { min, max } = shape.counts;
    this.#cap = min > 1 || max !== undefined ? shape.names.length + MAX_OTHERS : 1;
  }

  after({ index, count, met }: Progress): Expression {
    return this.#tools.maker.define(`${this.#key} ${index} ${count} met ${met.join()}`, () => {
      const { names, counts, required } = this.#shape;
      if (counts.max !== undefined && count > counts.max) return NEVER;
      const name = names[index];
      if (name === undefined) return this.#end({ index, count, met });
      const absent = required.has(name) ? NEVER : this.after({ index: index + 1, count, met });
      return choice(absent, ...this.#ways(name, { index, count, met }));
    });
  }

  /** A member with a declared name: each way in which it can satisfy demands that are not met. */
  #ways(name: string, { index, count, met }: Progress): Expression[] {
    const possible = this.#demands.flatMap(({ names }, at) =>
      !met.includes(at) && acceptsText(names, name) ? [at] : [],
    );
    return subsets(possible).map((satisfied) =>
      sequence(
        this.#shape.comma(count),
        this.#shape.member(name, this.#values(satisfied)),
        this.after({ index: index + 1, count: this.#next(count), met: union(met, satisfied) }),
      ),
    );
  }

  #end({ index, count, met }: Progress): Expression {
    const { min, max } = this.#shape.counts;
    const isEnough = count >= min && met.length === this.#demands.length;
    // `minProperties` counts distinct names, and undeclared names may repeat.
    if (count + 1 < min) {
      return this.#classes.length > 0 ? this.#tools.maker.leaveOut(this.#shape.tooMany()) : NEVER;
    }
    const canGrow = max === undefined || count < Math.min(max, this.#cap);
    const others = canGrow ? this.#classes.flatMap((one) => this.#others(one, met)) : [];
    return choice(
      isEnough ? EMPTY : NEVER,
      ...others.map(({ member, satisfied }) =>
        sequence(
          this.#shape.comma(count),
          member,
          this.after({ index, count: this.#next(count), met: union(met, satisfied) }),
        ),
      ),
    );
  }

  /**
   * Members with an undeclared name. A name may be written again, and then its last value counts. So after a demand is
   * met, every member that could satisfy it must do so.
   */
  #others(one: DemandedClass, met: readonly number[]) {
    return subsets(one.demands)
      .filter((chosen) => one.demands.every((at) => !met.includes(at) || chosen.includes(at)))
      .map((satisfied) => ({
        member: this.#shape.other(one, this.#values(satisfied)),
        satisfied,
      }));
  }

  #values(demands: readonly number[]): Located[] {
    return demands.flatMap((at) => this.#demands[at]?.value ?? []);
  }

  #next(count: number): number {
    return Math.min(count + 1, this.#cap);
  }
}

/** Groups names by the demands that members with these names can satisfy. */
function demandedClasses(
  classes: readonly NameClass[],
  demands: readonly Demand[],
): DemandedClass[] {
  const start = classes.map((one): DemandedClass => ({ ...one, demands: [] }));
  return demands.reduce(
    (all, { names }, at) =>
      all
        .flatMap((one) => [
          {
            ...one,
            name: `${one.name}1`,
            automaton: intersect(one.automaton, names),
            demands: [...one.demands, at],
          },
          {
            ...one,
            name: `${one.name}0`,
            automaton: intersect(one.automaton, complement(names)),
          },
        ])
        .filter(({ automaton }) => automaton.length > 0),
    start,
  );
}

function subsets(items: readonly number[]): number[][] {
  const none: number[][] = [[]];
  return items.reduce((all, item) => [...all, ...all.map((set) => [...set, item])], none);
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}
