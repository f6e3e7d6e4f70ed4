import { choice, EMPTY, NEVER, sequence, text, type Expression } from '../../ebnf/expression.ts';
import { repeated } from '../../ebnf/repetition.ts';
import type { Conjunction } from '../../schema/schema.ts';
import { demandingMembers } from './demanding-members.ts';
import { inGroup } from './name-groups.ts';
import type { ObjectForm } from './object-form.ts';
import { ObjectShape, type ObjectTools } from './object-shape.ts';

/** @param key - identifies this object among all others: the prefix of its rules' keys */
export function objectExpression(
  schemas: Conjunction,
  key: string,
  tools: ObjectTools,
  form: ObjectForm,
): Expression {
  const shape = new ObjectShape(schemas, key, tools, form);
  if (shape.isImpossible) return NEVER;
  const demands = schemas.flatMap(({ derived }) => derived?.someMember ?? []);
  const members =
    demands.length > 0
      ? demandingMembers(shape, demands, key, tools)
      : new Members(shape, key, tools).all();
  return sequence(text(form.open), members, text(form.close));
}

/** If there may be more other members than this, declared members are not counted: all of them count as written. */
const COUNTED = 8;

/** The most members with other names that must differ from each other. */
const MAX_DISTINCT = 6;
/** Extra groups of names, so that two names are seldom in the same group. */
const MORE_GROUPS = 2;

/** Members with other names. */
interface Others {
  /** Members before these. */
  count: number;
  /** How many must have different names. */
  least: number;
  most: number | undefined;
  /** The groups of the names that are written. */
  groups: readonly number[];
}

/** The state of an object that is being written. */
interface Progress {
  /** How many of the ordered names are decided. */
  index: number;
  /** How many members are written, counted up to the largest number that matters. */
  count: number;
  /** The free names that are written. */
  free: readonly string[];
}

/** The members of an object: declared ones in their order, free ones anywhere, and others. */
class Members {
  readonly #shape: ObjectShape;
  readonly #key: string;
  readonly #tools: ObjectTools;
  readonly #ordered: readonly string[];
  readonly #free: readonly string[];
  readonly #other: Expression;
  /** Whether declared members are counted, which needs an order. */
  readonly #isCounted: boolean;
  /** Whether members with other names can precede declared ones. If members are counted, they cannot. */
  readonly #isMixed: boolean;

  constructor(shape: ObjectShape, key: string, tools: ObjectTools) {
    this.#shape = shape;
    this.#key = key;
    this.#tools = tools;
    const { min, max } = shape.counts;
    const isLimited = max !== undefined && max < shape.names.length + COUNTED;
    this.#isCounted = min > 1 || isLimited;
    this.#isMixed = min <= 1 && max === undefined;
    this.#free = this.#isCounted ? [] : freeNames(shape, tools.statesForOrder);
    this.#ordered = shape.names.filter((name) => !this.#free.includes(name));
    this.#other =
      shape.classes.length === 0
        ? NEVER
        : tools.maker.define(`${key} other`, () =>
            choice(...shape.classes.map((one) => shape.other(one))),
          );
  }

  all(): Expression {
    return this.#after({ index: 0, count: 0, free: [] });
  }

  #after(progress: Progress): Expression {
    const { index, count, free } = progress;
    const key = `${this.#key} ${index} ${count} ${free.join('\n')}`;
    return this.#tools.maker.define(key, () => {
      const { counts, required } = this.#shape;
      if (counts.max !== undefined && count > counts.max) return NEVER;
      const name = this.#ordered[index];
      const anywhere = [...this.#freeMembers(progress), this.#mixed(progress)];
      if (name === undefined) return choice(this.#end(progress), ...anywhere);
      const present = this.#member(name, { ...progress, index: index + 1 });
      const absent = required.has(name) ? NEVER : this.#after({ ...progress, index: index + 1 });
      return choice(present, absent, ...anywhere);
    });
  }

  /** A member and everything after it. */
  #member(name: string, after: Progress): Expression {
    const count = this.#isCounted ? after.count + 1 : 1;
    const member = this.#tools.maker.define(`${this.#key} member ${name}`, () =>
      this.#shape.member(name),
    );
    return sequence(this.#shape.comma(after.count), member, this.#after({ ...after, count }));
  }

  #freeMembers(progress: Progress): Expression[] {
    const { free } = progress;
    const left = this.#free.filter((name) => !free.includes(name));
    return left.map((name) =>
      this.#member(name, {
        ...progress,
        free: this.#free.filter((one) => one === name || free.includes(one)),
      }),
    );
  }

  #mixed(progress: Progress): Expression {
    if (!this.#isMixed) return NEVER;
    return sequence(
      this.#shape.comma(progress.count),
      this.#other,
      this.#after({ ...progress, count: 1 }),
    );
  }

  #end({ count, free }: Progress): Expression {
    const { required, counts } = this.#shape;
    if (this.#free.some((name) => required.has(name) && !free.includes(name))) return NEVER;
    const stop = count >= counts.min ? EMPTY : NEVER;
    if (this.#isMixed || this.#shape.classes.length === 0) return stop;
    return choice(stop, this.#others(count));
  }

  /** At least one member with another name, after all declared ones. */
  #others(count: number): Expression {
    const { min, max } = this.#shape.counts;
    const written = this.#isCounted ? count : this.#shape.names.length;
    const most = max === undefined ? undefined : max - written;
    const least = Math.max(1, min - count);
    if (most !== undefined && most < least) return NEVER;
    if (least > MAX_DISTINCT) return this.#tools.maker.leaveOut(this.#shape.tooMany());
    if (least > 1) return this.#distinct({ count, least, most, groups: [] });
    return sequence(this.#shape.comma(count), this.#other, this.#further(most && most - 1));
  }

  /** Up to `most` more members with other names. */
  #further(most: number | undefined): Expression {
    const { maker } = this.#tools;
    const key = `${this.#key} further`;
    const further = maker.define(key, () => sequence(this.#shape.comma(1), this.#other));
    return repeated(maker, key, further, 0, most);
  }

  /** Members with other names. At least `least` of the names differ, because they are in different groups. */
  #distinct(others: Others): Expression {
    const { count, least, most, groups } = others;
    const { maker } = this.#tools;
    if (groups.length === least) return this.#further(most && most - least);
    const key = `${this.#key} distinct ${count} ${least} ${most} ${groups.join()}`;
    return maker.define(key, () => {
      const of = least + MORE_GROUPS;
      const ways = Array.from({ length: of }, (_, group) => {
        const isNew = !groups.includes(group);
        if (!isNew && most !== undefined) return NEVER;
        const after = isNew
          ? { ...others, count: 1, groups: [...groups, group].sort((a, b) => a - b) }
          : others;
        const member = maker.define(`${this.#key} other ${group} of ${of}`, () =>
          choice(...this.#shape.classes.map((one) => this.#shape.other(inGroup(one, group, of)))),
        );
        return sequence(this.#shape.comma(count), member, this.#distinct(after));
      });
      return choice(...ways);
    });
  }
}

/**
 * Names whose members can be written anywhere, as many as `most` rules allow. Required names are chosen first, because
 * models tend to begin with them, and because some of them are not in `properties`, which would order them.
 */
function freeNames({ names, required }: ObjectShape, most: number): string[] {
  const candidates = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  const states = (free: number) => (names.length - free + 1) * 2 ** free;
  let count = 0;
  while (count < names.length && states(count + 1) <= most) count++;
  return candidates.slice(0, count);
}
