import type { Correction } from '../../src/core/catalog/calibration.ts';
import { corrected } from '../../sw/decisions/corrected.ts';
import { likeliest } from '../../sw/decisions/decision-numbers.ts';
import type { Answered } from './asked-model.ts';
import { isRight, mean, qualityOf, type Judged, type Quality } from './figures.ts';
import { fitted } from './fit.ts';
import type { Item } from './item.ts';

/** An item as a model answered it. */
export interface AnsweredItem extends Answered {
  item: Item;
}

/** What was measured of a model and a type of question. */
export interface Figures {
  questions: number;
  /** Share that is right by guessing. */
  chance: number;
  /** Share that is right with the options in one order, mean of the two orders. */
  rightByOneOrder: number;
  /** Share that is right by the mean of both orders. */
  rightByBothOrders: number;
  /** Share of the questions whose answer depends on the order. */
  changedByOrder: number;
  coverage: number;
  /** Fitted on one half. */
  calibration: Correction;
  /** How good the answers to the other half are, by both orders. */
  before: Quality;
  after: Quality;
}

/** @param answered - items of one type */
export function figuresOf(answered: readonly AnsweredItem[]): Figures {
  const type = answered[0]?.item.type ?? 'choice';
  const given = answered.map(({ item, one }) => judged(item, one));
  const reverse = answered.map(({ item, one, both }) =>
    judged(
      item,
      both.map((chance, at) => 2 * chance - (one[at] ?? 0)),
    ),
  );
  const both = answered.map((each) => judged(each.item, each.both));
  const half = (name: Item['half']) => both.filter((_, at) => answered[at]?.item.half === name);
  const calibration = fitted(half('fit'), type);
  const measured = half('measure');
  const calibrated = measured.map(({ chances, right }) => ({
    chances: corrected(chances, type, calibration),
    right,
  }));
  const isChanged = ({ chances }: Judged, at: number) =>
    likeliest(chances) !== likeliest(reverse[at]?.chances ?? []);
  return {
    questions: answered.length,
    chance: mean(both, ({ chances }) => 1 / chances.length),
    rightByOneOrder: mean([...given, ...reverse], (each) => Number(isRight(each))),
    rightByBothOrders: qualityOf(both).right,
    changedByOrder: given.filter(isChanged).length / given.length,
    coverage: mean(answered, ({ coverage }) => coverage),
    calibration,
    before: qualityOf(measured),
    after: qualityOf(calibrated),
  };
}

function judged({ right }: Item, chances: readonly number[]): Judged {
  return { chances, right };
}
