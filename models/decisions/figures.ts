import { likeliest } from '../../sw/decisions/decision-numbers.ts';

/** The probabilities of a question's answers, and which of them is right. */
export interface Judged {
  chances: readonly number[];
  right: number;
}

export interface Quality {
  /** Share of the questions whose likeliest answer is right. */
  right: number;
  /** Expected calibration error: how far the likeliest answer's probability is from the share that is right. */
  ece: number;
  /** Brier score: squared error, summed over a question's answers. */
  brier: number;
}

const BINS = 10;

export function qualityOf(judged: readonly Judged[]): Quality {
  return {
    right: mean(judged, (each) => Number(isRight(each))),
    ece: calibrationError(judged),
    brier: mean(judged, squaredError),
  };
}

export function isRight({ chances, right }: Judged): boolean {
  return likeliest(chances) === right;
}

export function mean<T>(list: readonly T[], value: (each: T) => number): number {
  return list.reduce((sum, each) => sum + value(each), 0) / list.length;
}

/** The error of each of ten equal ranges of probability, weighted by how many questions are in it. */
function calibrationError(judged: readonly Judged[]): number {
  const binOf = ({ chances }: Judged) =>
    Math.min(BINS - 1, Math.floor(Math.max(...chances) * BINS));
  const bins = Object.values(Object.groupBy(judged, binOf)).filter((bin) => bin !== undefined);
  return bins.reduce((sum, bin) => {
    const confidence = mean(bin, ({ chances }) => Math.max(...chances));
    const share = mean(bin, (each) => Number(isRight(each)));
    return sum + (bin.length / judged.length) * Math.abs(confidence - share);
  }, 0);
}

function squaredError({ chances, right }: Judged): number {
  return chances.reduce((sum, chance, at) => sum + (chance - Number(at === right)) ** 2, 0);
}
