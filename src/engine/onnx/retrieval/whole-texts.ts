import type { OnnxGraphFile } from '../../../core/graph-file.ts';
import { graphOutputs } from '../../../core/graph-outputs.ts';
import { ConfigFault } from '../../../core/model-config.ts';
import type { Repository } from '../../weights/hub-repository.ts';

/** The output with a vector for each text, and what follows the pooling done. */
export const OF_TEXTS = 'sentence_embedding';

/** Bytes. A graph that is larger has its weights in it: to read it is to download the model. */
const MOST_BYTES = 16 << 20;

/** What the graphs of an embedder give. */
interface WholeTexts {
  /** Those with vectors of whole texts. */
  graphs: OnnxGraphFile[];
  /** Numbers in such a vector; undefined: the graphs do not tell. */
  length: number | undefined;
}

/**
 * Looks into the graphs of an embedder which nothing describes.
 *
 * @param fault - why nothing does: the beginning of the error
 * @throws ConfigFault if none gives vectors of whole texts
 */
export async function wholeTexts(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  fault: string,
): Promise<WholeTexts> {
  const small = graphs.filter(({ path }) => own.bytes([path]) <= MOST_BYTES);
  const outputs = await Promise.all(
    small.map(async ({ path }) => graphOutputs(await own.readBytes(path))),
  );
  const ports = outputs.map((all) => all.find(({ name }) => name === OF_TEXTS));
  const giving = small.filter((_, place) => ports[place]);
  const length = ports.flatMap((port) => port?.shape.at(-1) ?? [])[0];
  if (giving.length > 0) return { graphs: giving, length };
  const lacking =
    small.length > 0
      ? `its graph has no output ${OF_TEXTS}`
      : 'its graph is too large to be looked into before it is downloaded';
  throw new ConfigFault(`${fault}, and ${lacking}`);
}
