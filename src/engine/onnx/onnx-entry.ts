import { MODEL_FILES } from '../../core/model-config.ts';
import type { OnnxGraphFile } from '../../core/graph-file.ts';
import { variantId, type HubFiles, type OnnxVariant } from '../../core/stores/variant.ts';
import { ownerOf } from '../weights/hub.ts';
import type { Repository } from '../weights/hub-repository.ts';

/** Those of the files that the repository has. */
export function filesOf({ name, paths }: Repository, wanted: readonly string[]): HubFiles {
  return { repository: name, paths: wanted.filter((path) => paths.includes(path)) };
}

/**
 * What the catalog knows of every model with ONNX graphs.
 *
 * @param furtherFiles - of the repository, beside the graphs and those that every model has
 * @param elsewhere - files of other repositories
 */
export function onnxEntry(
  own: Repository,
  { path, quantization, files: graphs }: OnnxGraphFile,
  contextLength: number,
  furtherFiles: readonly string[] = [],
  elsewhere: HubFiles[] = [],
) {
  const { name } = own;
  const files = [filesOf(own, [...MODEL_FILES, ...furtherFiles, ...graphs]), ...elsewhere];
  const variant: OnnxVariant = {
    ...{ id: variantId('onnx', quantization), engine: 'onnx', quantization, needs: {} },
    ...{ bytes: own.bytes(graphs), source: { kind: 'hub', repository: name, files }, graph: path },
  };
  return {
    ...{ id: name, ownedBy: ownerOf(name), created: 0, contextLength, features: [] },
    variants: [variant],
  };
}
