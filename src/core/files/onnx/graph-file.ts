/** A model's graph, or graphs, among a repository's files. */
export interface OnnxGraphFile {
  /** Path of the graph, or of the first if there are several. */
  path: string;
  /** The graph's type, as transformers.js calls it. */
  quantization: string;
  /** The graphs, and the files of their weights if those are separate. */
  files: string[];
}

/** The end of the graphs' names, and transformers.js's name for the type. */
type GraphType = [end: string, quantization: string];

const FP16: GraphType = ['_fp16', 'fp16'];
const FP32: GraphType = ['', 'fp32'];
/** Types that run everywhere, the best for a CPU first. */
const ON_CPU: GraphType[] = [['_quantized', 'q8'], ['_int8', 'int8'], ['_uint8', 'uint8'], FP32];

/**
 * The graphs that run everywhere, and are best on a CPU.
 *
 * @param paths - of a repository's files
 * @param names - of the graphs that the model consists of; all have the same type
 */
export function graphOf(
  paths: readonly string[],
  names?: readonly string[],
): OnnxGraphFile | undefined {
  const [best] = graphsOfTypes(ON_CPU, paths, names);
  return best;
}

/**
 * The graphs for each kind of device: fp16 for GPUs with shader-f16, fp32 for other GPUs, and the best type for CPUs.
 *
 * @param paths - as for `graphOf`
 * @param names - as for `graphOf`
 * @returns the best for a GPU first; empty: the repository has none
 */
export function graphsOf(paths: readonly string[], names?: readonly string[]): OnnxGraphFile[] {
  const onGpu = graphsOfTypes([FP16, FP32], paths, names);
  const onCpu = graphOf(paths, names);
  const isAmongThem = onGpu.some(({ quantization }) => quantization === onCpu?.quantization);
  return onCpu && !isAmongThem ? [...onGpu, onCpu] : onGpu;
}

function graphsOfTypes(
  types: readonly GraphType[],
  paths: readonly string[],
  names: readonly string[] = ['model'],
): OnnxGraphFile[] {
  return types.flatMap(([end, quantization]) => {
    const graphs = names.map((name) => `onnx/${name}${end}.onnx`);
    const [path] = graphs;
    if (path === undefined || !graphs.every((graph) => paths.includes(graph))) return [];
    const isPart = (each: string) => graphs.some((graph) => each.startsWith(graph));
    return { path, quantization, files: paths.filter(isPart) };
  });
}
