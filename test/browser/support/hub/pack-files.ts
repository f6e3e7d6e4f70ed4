import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { PackFile } from '../../../../src/core/catalog/pack-file.ts';
import { manifestSchema } from '../../../../src/core/catalog/pack-manifest.ts';
import { PACKS } from '../site.ts';

/** The files of a pack's first variant: a chat model's is for WebLLM. */
export function packFiles(pack: string): PackFile[] {
  const text = readFileSync(join(PACKS[pack] ?? '', 'manifest.json'), 'utf8');
  const [first] = v.parse(manifestSchema, JSON.parse(text)).variants;
  return first?.files ?? [];
}

/** Hash of all weights of the WebLLM variant in this folder, as models/library/check computes it. */
export function sha256OfShards(folder: string): string {
  const shards = readdirSync(folder).filter((file) => file.startsWith('params_shard_'));
  const hash = createHash('sha256');
  for (const shard of shards.toSorted()) hash.update(readFileSync(join(folder, shard)));
  return hash.digest('hex');
}
