import { alternativeGroups } from './alternatives.ts';
import { isContradiction } from './contradiction.ts';
import type { Document } from './document.ts';
import {
  stringOf,
  subschemaList,
  type Checked,
  type Conjunction,
  type Group,
  type Located,
} from './schema.ts';
import { SchemaError } from './schema-error.ts';
import { isConstraint } from './types.ts';

/** The most combinations of alternatives that schemas may expand to. */
const MAX_BRANCHES = 500;
/** The most combinations that are tried, most of which contradict themselves. */
const MAX_TRIED = 20_000;

interface Pending extends Located {
  /** Paths of the schemas that led to this one. */
  via: readonly string[];
}

/** A combination of alternatives while it is expanded. */
interface State {
  held: Map<string, Checked>;
  seen: Set<string>;
  /** Groups that are not decided yet. Every alternative is a list of schemas. */
  groups: Pending[][][];
}

/** Whether it is certain that no value is valid under both lists of schemas. */
type AreExclusive = (a: readonly Located[], b: readonly Located[], branches: Branches) => boolean;

/**
 * Expands schemas that must all hold into branches: it follows each `$ref`, merges each `allOf`, and makes
 * one branch for each combination of alternatives. If there is no branch, no value is valid.
 */
export class Branches {
  readonly #document: Document;
  readonly #areExclusive: AreExclusive;
  readonly #known = new Map<string, Conjunction[]>();
  readonly #groups = new Map<string, Group[]>();
  /** Paths of the schemas whose alternatives are being compared. */
  readonly #comparing = new Set<string>();
  /** How often alternatives were needed while they were being compared. */
  #guesses = 0;

  constructor(document: Document, areExclusive: AreExclusive) {
    this.#document = document;
    this.#areExclusive = areExclusive;
  }

  /** @throws SchemaError for a keyword that is wrong or cannot be enforced, or for too many branches */
  of(schemas: readonly Located[]): Conjunction[] {
    // The path of the root is empty, so the number of paths matters.
    const key = [schemas.length, ...schemas.map(({ path }) => path)].join('\n');
    const known = this.#known.get(key);
    if (known) return known;
    const branches: Conjunction[] = [];
    const start = schemas.map((schema) => ({ ...schema, via: [] }));
    const guesses = this.#guesses;
    this.#expand(start, { held: new Map(), seen: new Set(), groups: [] }, branches, { tried: 0 });
    if (this.#guesses === guesses) this.#known.set(key, branches);
    return branches;
  }

  #expand(
    pending: readonly Pending[],
    before: State,
    branches: Conjunction[],
    count: { tried: number },
  ): void {
    const path = pending[0]?.path ?? '';
    if (++count.tried > MAX_TRIED) tooMany(path);
    const { held, seen } = before;
    const state = { held: new Map(held), seen: new Set(seen), groups: [...before.groups] };
    if (!this.#gather(pending, state)) return;
    const conjunction = [...state.held.values()];
    if (isContradiction(conjunction)) return;
    const [group, ...groups] = state.groups;
    if (!group) {
      if (branches.push(conjunction) > MAX_BRANCHES) tooMany(path);
      return;
    }
    for (const alternative of group) {
      this.#expand(alternative, { ...state, groups }, branches, count);
    }
  }

  /** Adds schemas, and what they refer to, to the state. Returns false if no value can satisfy them. */
  #gather(pending: readonly Pending[], state: State): boolean {
    if (pending.length > MAX_BRANCHES) tooMany(pending[0]?.path ?? '');
    return pending.every(({ schema, path, derived, via }) => {
      // A schema that refers to itself without consuming anything matches nothing.
      if (schema === false || via.includes(path)) return false;
      if (schema === true || state.seen.has(path)) return true;
      state.seen.add(path);
      const checked = this.#document.read({ schema, path, ...(derived && { derived }) });
      if (constrains(checked)) state.held.set(path, checked);
      const below = (items: Located[]) => items.map((item) => ({ ...item, via: [...via, path] }));
      const groups = this.#groupsOf(checked);
      state.groups.push(...groups.map((group) => group.map(below)));
      return this.#gather(
        below([...this.#reference(checked), ...subschemaList(checked, 'allOf')]),
        state,
      );
    });
  }

  #reference(from: Checked): Located[] {
    const reference = stringOf(from, '$ref');
    return reference === undefined ? [] : [this.#document.resolve(from, reference)];
  }

  #groupsOf(checked: Checked): Group[] {
    const { path } = checked;
    const known = this.#groups.get(path);
    if (known) return known;
    // A schema can contain itself. Then it is not known yet which values its alternatives exclude from each other.
    if (this.#comparing.has(path)) {
      this.#guesses++;
      return alternativeGroups(checked, this.#document);
    }
    this.#comparing.add(path);
    const areExclusive = (a: Located[], b: Located[]) => this.#areExclusive(a, b, this);
    const groups = alternativeGroups(checked, this.#document, areExclusive);
    this.#comparing.delete(path);
    this.#groups.set(path, groups);
    return groups;
  }
}

function constrains({ schema, derived }: Checked): boolean {
  const demands = derived && Object.keys(derived).length > 0;
  return demands || Object.keys(schema).some(isConstraint);
}

function tooMany(path: string): never {
  throw new SchemaError(path, 'has too many combinations of alternatives.');
}
