import { jobFault } from '../../../../../core/errors/errors.ts';

/** A file that is damaged in more places, or was made to look so, would only cost time and memory. */
const MOST_PLACES = 20_000;

/** Counts the places where a file is damaged. */
export class Damage {
  #places = 0;

  /** @throws ApiError 400 if there are too many */
  count(): void {
    if (++this.#places > MOST_PLACES) {
      throw jobFault('recording', `is damaged in more than ${MOST_PLACES} places.`);
    }
  }
}
