import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inHalf } from '../../../support/onnx/onnx-half.ts';
import type { DrivenPage } from '../browser/driven-page.ts';
import { packFiles } from './pack-files.ts';
import { embed, embeddingCases } from '../searching.ts';
import { PACKS } from '../site.ts';

const TEXTS = embeddingCases.vectors.map(({ text }) => text);

/** The files of a pack, laid out as a repository of the hub, with the graph in 32 and in 16 bits. */
export function withHalf(pack: string): Map<string, Buffer> {
  const folder = PACKS[pack] ?? '';
  const files = new Map(
    packFiles(pack).map(({ path }) => [path, readFileSync(join(folder, path))]),
  );
  const graph = files.get('onnx/model.onnx') ?? Buffer.alloc(0);
  return files.set('onnx/model_fp16.onnx', Buffer.from(inHalf(graph)));
}

/** The largest difference between the vectors of a model with tiny-embed's graph and those of tiny-embed in 32 bits. */
export async function difference(page: DrivenPage, model: string): Promise<number> {
  const [found, right] = [await embed(page, TEXTS, { model }), await embed(page, TEXTS)];
  const differences = right.flatMap((vector, place) =>
    vector.map((value, index) => Math.abs(value - (found[place]?.[index] ?? Number.NaN))),
  );
  return Math.max(...differences);
}
