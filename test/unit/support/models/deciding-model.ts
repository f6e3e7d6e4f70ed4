import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { itemSchema, type Item } from '../../../../models/decisions/item.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const NAME = 'tiny-chat-decide';

/** The child of tiny-chat that answers questions about a text. */
export const DECIDING_MODEL = `slashv1/${NAME}`;
export const DECIDING_PACK = join(ROOT, 'models/packs', NAME);

export const DECIDING_FILE = join(DECIDING_PACK, `${NAME}-F16.gguf`);

/** Some questions of each type that the model has not seen, whether it is right about them or not. */
export function heldOutQuestions(): Item[] {
  const path = join(ROOT, `test/fixtures/${NAME}-items.json`);
  return v.parse(v.array(itemSchema), JSON.parse(readFileSync(path, 'utf8')));
}
