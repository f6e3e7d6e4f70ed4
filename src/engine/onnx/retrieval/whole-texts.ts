import type { OnnxGraphFile } from '../../../core/files/onnx/graph-file.ts';
import { graphOutput } from '../../../core/files/onnx/graph-outputs.ts';
import { ConfigFault } from '../../../core/files/model-config.ts';
import { OF_TEXTS } from '../../../core/files/retrieval/sentence-config.ts';
import type { Repository } from '../../download/hub/hub-repository.ts';

/** The graphs of an embedder that give vectors of whole texts. */
interface WholeTexts {
  /** At least one. */
  graphs: OnnxGraphFile[];
  /** Numbers in such a vector; undefined: the graphs do not tell. */
  length: number | undefined;
}

/**
 * Looks into the graphs of an embedder that no file describes.
 *
 * @param fault - why no file does: the beginning of the error
 * @throws ConfigFault if none gives vectors of whole texts
 */
export async function wholeTexts(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  fault: string,
): Promise<WholeTexts> {
  const outputs = await Promise.all(
    graphs.map(({ path }) => {
      const readFrom = (start: number) => own.readFrom(path, start);
      return graphOutput({ size: own.bytes([path]), readFrom }, OF_TEXTS);
    }),
  );
  const ports = outputs.map((output) => (output === 'unknown' ? undefined : output));
  const giving = graphs.filter((_, place) => ports[place]);
  const length = ports.flatMap((port) => port?.shape.at(-1) ?? [])[0];
  if (giving.length > 0) return { graphs: giving, length };
  const lacking = outputs.includes('unknown')
    ? 'its graph is too large to be looked into before it is downloaded'
    : `its graph has no output ${OF_TEXTS}`;
  throw new ConfigFault(`${fault}, and ${lacking}`);
}
