import { Draw } from './draw.ts';
import { CHOICES } from './families/choices.ts';
import { PREDICATES } from './families/predicates.ts';
import { SCORES } from './families/scores.ts';
import type { Asked, Item } from './item.ts';

const SEED = 20_261_127;

/** How often a rule may make an input that it has made before. */
const MOST_DRAWS = 200;

/**
 * Makes the labelled set, always the same. Its labels are right because the rules make texts for them. They are balanced
 * because the rules take turns: in each half of a family, each answer is right equally often, and a choice is right in
 * each place equally often.
 */
export function labelledItems(): Item[] {
  return [...predicates(new Draw(SEED)), ...choices(new Draw(SEED)), ...scores(new Draw(SEED))];
}

function predicates(draw: Draw): Item[] {
  return PREDICATES.flatMap((family) => {
    const fresh = freshInputs();
    return turns(family.count, 2).map(({ right, at, half }): Item => {
      const asked = fresh(() => family.make(draw, right === 0));
      const { name } = family;
      return { id: `predicate ${name} ${at}`, ...PREDICATE, family: name, half, ...asked, right };
    });
  });
}

const PREDICATE = { type: 'predicate' as const, options: [] };

function choices(draw: Draw): Item[] {
  return CHOICES.flatMap(({ name, count, options: size, make }) => {
    const fresh = freshInputs();
    return turns(count, size).map(({ right, round, at, half }): Item => {
      const { options, ...asked } = fresh(() => make(draw, right));
      const others = draw.shuffled(options.filter((_, place) => place !== right));
      const shown = (right + round) % size;
      return {
        id: `choice ${name} ${at}`,
        type: 'choice',
        family: name,
        half,
        ...asked,
        options: others.toSpliced(shown, 0, ...options.slice(right, right + 1)),
        right: shown,
      };
    });
  });
}

function scores(draw: Draw): Item[] {
  return SCORES.flatMap(({ name, count, levels, make }) => {
    const fresh = freshInputs();
    return turns(count, levels.length).map(({ right, at, half }): Item => {
      const asked = fresh(() => make(draw, right));
      const id = `score ${name} ${at}`;
      return { id, type: 'score', family: name, half, ...asked, options: levels, right };
    });
  });
}

interface Turn {
  at: number;
  half: Item['half'];
  /** Which of the answers is right. */
  right: number;
  /** How often each answer was right before. */
  round: number;
}

/** The turns of a family: its answers are right in turn, first for fitting, then for measuring. */
function turns(count: number, answers: number): Turn[] {
  return Array.from({ length: count }, (_, at) => {
    const pair = Math.floor(at / 2);
    const half = at % 2 === 0 ? 'fit' : 'measure';
    return { at, half, right: pair % answers, round: Math.floor(pair / answers) };
  });
}

/** Repeats what draws at random until its input is a new one. */
function freshInputs() {
  const seen = new Set<string>();
  return <T extends Asked>(make: () => T): T => {
    for (let draws = 0; draws < MOST_DRAWS; draws++) {
      const made = make();
      if (seen.has(made.input)) continue;
      seen.add(made.input);
      return made;
    }
    throw new Error('A rule has too few texts.');
  };
}
