/** A graph's file, and the weights that are made from it. Measured with Piper and Kokoro. */
const FACTOR = 2.3;
/** A worker with ONNX Runtime and its buffers, bytes. */
const WORKER = 150_000_000;

/** Memory that a model with ONNX graphs takes, bytes, estimated. @param stored - bytes of its files */
export function onnxBytes(stored: number): number {
  return WORKER + stored * FACTOR;
}
