/**
 * `npm run curated [-- HUB]`: compares the console's list of recommended models with the hub: each repository and file
 * exists, is open to all, and has the licence and about the size that the list says. Where the hub cannot be reached,
 * each model is skipped by name.
 */
import * as v from 'valibot';
import { CURATED, type CuratedModel } from '../src/console/models/best/curated.ts';

const HUB = process.argv[2] ?? 'https://huggingface.co/';
/** Sizes in the list may differ by this share. */
const TOLERANCE = 0.05;

const infoSchema = v.object({
  gated: v.optional(v.union([v.boolean(), v.string()]), false),
  tags: v.optional(v.array(v.string()), []),
  siblings: v.array(v.object({ rfilename: v.string(), size: v.optional(v.number(), 0) })),
});

/** What is wrong with a model of the list; empty: nothing. */
function faultsOf(model: CuratedModel, info: v.InferOutput<typeof infoSchema>): string[] {
  const { file, license, bytes } = model;
  const isWanted = (name: string) =>
    file === undefined ? /^params_shard_\d+\.bin$/.test(name) : name === file;
  const found = info.siblings.filter(({ rfilename }) => isWanted(rfilename));
  const size = found.reduce((sum, each) => sum + each.size, 0);
  const licenses = info.tags.filter((tag) => tag.startsWith('license:'));
  const isOther = licenses.length > 0 && !licenses.includes(`license:${license}`);
  return [
    ...(info.gated === false ? [] : ['is gated']),
    ...(found.length > 0 ? [] : ['has no such file']),
    ...(isOther ? [`has ${licenses.join(', ')}`] : []),
    ...(Math.abs(size - bytes) > bytes * TOLERANCE ? [`has ${size} bytes, not ${bytes}`] : []),
  ];
}

/** @returns undefined if the hub cannot be reached */
async function ask(id: string): Promise<Response | undefined> {
  const url = new URL(`api/models/${id}?blobs=true`, HUB);
  try {
    return await fetch(url, { signal: AbortSignal.timeout(15_000) });
  } catch {
    return undefined;
  }
}

async function check(model: CuratedModel): Promise<string> {
  const response = await ask(model.id);
  if (!response || response.status >= 500) return 'skipped: the hub cannot be reached';
  if (!response.ok) return `failed: the hub answers ${response.status}`;
  const faults = faultsOf(model, v.parse(infoSchema, await response.json()));
  return faults.length === 0 ? 'ok' : `failed: ${faults.join('; ')}`;
}

for (const model of CURATED) {
  const verdict = await check(model);
  process.stdout.write(`${model.id}: ${verdict}\n`);
  if (verdict.startsWith('failed')) process.exitCode = 1;
}
