import * as v from 'valibot';
import type { Calibration } from './calibration.ts';

const temperature = v.pipe(v.number(), v.gtValue(0));
const correction = v.object({ temperature, bias: v.exactOptional(v.number()) });

/** Schema of `Calibration`. The type has a file of its own so that the package's declarations need no valibot. */
export const calibrationSchema = v.object({
  predicate: v.exactOptional(correction),
  choice: v.exactOptional(v.object({ temperature })),
  score: v.exactOptional(correction),
}) satisfies v.GenericSchema<unknown, Calibration>;
