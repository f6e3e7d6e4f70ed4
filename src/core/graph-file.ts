/** A model's graph, or graphs, among a repository's files. */
export interface OnnxGraphFile {
  /** Of the first, if there are several. */
  path: string;
  /** As transformers.js calls it. */
  quantization: string;
  /** The graphs, and the files that hold its weights if they have them apart. */
  files: string[];
}

/** Ends of the names of graphs, and what transformers.js calls their types. The best for a CPU first. */
const TYPES: [end: string, quantization: string][] = [
  ['_quantized', 'q8'],
  ['_int8', 'int8'],
  ['_uint8', 'uint8'],
  ['', 'fp32'],
];

/**
 * The graphs that run everywhere, and are best on a CPU.
 *
 * @param paths - of a repository's files
 * @param names - of the graphs that the model consists of; all have the same type
 */
export function graphOf(
  paths: readonly string[],
  names: readonly string[] = ['model'],
): OnnxGraphFile | undefined {
  for (const [end, quantization] of TYPES) {
    const graphs = names.map((name) => `onnx/${name}${end}.onnx`);
    const [path] = graphs;
    if (path === undefined || !graphs.every((graph) => paths.includes(graph))) continue;
    const isPart = (each: string) => graphs.some((graph) => each.startsWith(graph));
    return { path, quantization, files: paths.filter(isPart) };
  }
  return undefined;
}
