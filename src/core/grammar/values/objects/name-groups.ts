import { intersect } from '../../regular/automaton.ts';
import { ANY_CHAR, charSet, difference, type CharSet } from '../../regular/char-set.ts';
import type { Automaton } from '../../regular/state.ts';
import type { NameClass } from './names.ts';

/** The characters that tell groups apart. */
const FIRST = 0x20;
const LAST = 0x7e;

/**
 * The names of a class that are in one of `of` groups. Names in different groups differ. A name's group is the sum of
 * its characters' codes modulo `of`, so that `key1` and `key2` are in different groups.
 */
export function inGroup(one: NameClass, group: number, of: number): NameClass {
  return {
    ...one,
    name: `${one.name} ${group} of ${of}`,
    automaton: intersect(one.automaton, groupAutomaton(group, of)),
  };
}

/** Accepts the names of a group. In state n, the text so far is in group n. */
function groupAutomaton(group: number, of: number): Automaton {
  const sets = Array.from({ length: of }, (_, step) => charactersOf(step, of));
  return Array.from({ length: of }, (_, state) => ({
    accepts: state === group,
    edges: sets.map((set, step) => ({ set, to: (state + step) % of })),
  }));
}

/** The characters that move a name `step` groups on. Characters beyond ASCII do not change the group. */
function charactersOf(step: number, of: number): CharSet {
  const codes = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);
  const found = charSet(codes.filter((code) => code % of === step).map((code) => [code, code]));
  return step > 0 ? found : charSet([...found, ...difference(ANY_CHAR, [[FIRST, LAST]])]);
}
