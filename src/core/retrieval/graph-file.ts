/** A graph among a repository's files. */
export interface OnnxGraphFile {
  path: string;
  /** As transformers.js calls it. */
  quantization: string;
  /** The graph, and the files that hold its weights if it has them apart. */
  files: string[];
}

/** Paths of graphs, and what transformers.js calls their types. The best for a CPU first. */
const GRAPHS: [path: string, quantization: string][] = [
  ['onnx/model_quantized.onnx', 'q8'],
  ['onnx/model_int8.onnx', 'int8'],
  ['onnx/model_uint8.onnx', 'uint8'],
  ['onnx/model.onnx', 'fp32'],
];

/**
 * The graph that runs everywhere, and is best on a CPU.
 *
 * @param paths - of a repository's files
 */
export function graphOf(paths: readonly string[]): OnnxGraphFile | undefined {
  const found = GRAPHS.find(([path]) => paths.includes(path));
  if (!found) return undefined;
  const [path, quantization] = found;
  return { path, quantization, files: paths.filter((each) => each.startsWith(path)) };
}
