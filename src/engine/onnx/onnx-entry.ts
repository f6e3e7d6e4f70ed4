import { MODEL_FILES } from '../../core/files/model-config.ts';
import type { OnnxGraphFile } from '../../core/files/onnx/graph-file.ts';
import { variantId, type HubFiles, type OnnxVariant } from '../../core/catalog/variant.ts';
import { onnxBytes } from '../../core/fit/context-memory.ts';
import { ownerOf } from '../download/hub/hub.ts';
import type { Repository } from '../download/hub/hub-repository.ts';

/** The wanted files that the repository has. */
export function filesOf({ name, paths }: Repository, wanted: readonly string[]): HubFiles {
  return { repository: name, paths: wanted.filter((path) => paths.includes(path)) };
}

/**
 * The fields of a catalog entry that all models with ONNX graphs have.
 *
 * @param graphs - at least one; each makes a variant
 * @param furtherFiles - files of the repository, beside the graphs and the files that every model has
 * @param elsewhere - files of other repositories
 */
export function onnxEntry(
  own: Repository,
  graphs: readonly OnnxGraphFile[],
  contextLength: number,
  furtherFiles: readonly string[] = [],
  elsewhere: HubFiles[] = [],
) {
  const { name } = own;
  const variants = graphs.map(({ path, quantization, files }): OnnxVariant => {
    const all = [filesOf(own, [...MODEL_FILES, ...furtherFiles, ...files]), ...elsewhere];
    const bytes = own.bytes(files);
    const memoryBytes = Math.round(onnxBytes(bytes));
    return {
      id: variantId('onnx', quantization),
      engine: 'onnx',
      quantization,
      bytes,
      graph: path,
      needs: { memoryBytes, ...(quantization === 'fp16' && { shaderF16: true }) },
      source: { kind: 'hub', repository: name, files: all },
    };
  });
  return {
    id: name,
    ownedBy: ownerOf(name),
    created: 0,
    contextLength,
    features: [],
    variants,
  };
}
