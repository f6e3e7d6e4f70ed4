/** An output of an ONNX graph. */
export interface GraphPort {
  name: string;
  /** Undefined: a dimension that is not known before the graph runs. */
  shape: (number | undefined)[];
}

/** Numbers of fields, from onnx.proto3. */
const GRAPH = 7;
const OUTPUT = 12;
const PORT = { name: 1, type: 2 };
const TENSOR_TYPE = 1;
const SHAPE = 2;
const DIMENSION = 1;
const LENGTH = 1;

const VARINT = 0;
const BYTES = 2;
const OUTPUT_TAG = OUTPUT * 8 + BYTES;
/** Wire types of a fixed size → that size, bytes. */
const FIXED: Record<number, number> = { 1: 8, 5: 4 };

/** The outputs of a `.onnx` file; empty if the file is of another kind. */
export function graphOutputs(file: Uint8Array): GraphPort[] {
  return parts(file, GRAPH).flatMap((graph) => parts(graph, OUTPUT).map(portOf));
}

/** Bytes. A file that is larger has its weights in it, and only its end is read. */
const MOST_BYTES = 16 << 20;
/** Bytes at the end of such a file: the outputs, and shapes of values between nodes. */
const END_BYTES = 1 << 20;

/** A `.onnx` file. */
export interface GraphBytes {
  size: number;
  /** Reads the file's bytes from an offset on; undefined: they cannot be read without the bytes before. */
  readFrom: (start: number) => Promise<Uint8Array | undefined>;
}

/** @returns undefined if the graph has no such output; `unknown` if the end of a large file cannot be read */
export async function graphOutput(
  { size, readFrom }: GraphBytes,
  name: string,
): Promise<GraphPort | 'unknown' | undefined> {
  const isWhole = size <= MOST_BYTES;
  const bytes = await readFrom(isWhole ? 0 : size - END_BYTES);
  if (!bytes) return 'unknown';
  return isWhole
    ? graphOutputs(bytes).find((output) => output.name === name)
    : outputAtEnd(bytes, name);
}

/**
 * An output in the last bytes of a file, which may begin anywhere. Writers put the outputs behind the weights, because
 * they write fields in the order of their numbers.
 */
export function outputAtEnd(end: Uint8Array, name: string): GraphPort | undefined {
  for (let at = end.indexOf(OUTPUT_TAG); at >= 0; at = end.indexOf(OUTPUT_TAG, at + 1)) {
    const [field] = fields(end.subarray(at), 1);
    const port = field?.bytes && portOf(field.bytes);
    if (port?.name === name) return port;
  }
  return undefined;
}

function portOf(port: Uint8Array): GraphPort {
  const [name] = parts(port, PORT.name);
  const dimensions = [PORT.type, TENSOR_TYPE, SHAPE, DIMENSION].reduce(
    (all, number) => all.flatMap((part) => parts(part, number)),
    [port],
  );
  return { name: new TextDecoder().decode(name), shape: dimensions.map(lengthOf) };
}

function lengthOf(dimension: Uint8Array): number | undefined {
  return fields(dimension).find(({ number, bytes }) => number === LENGTH && !bytes)?.value;
}

function parts(message: Uint8Array, wanted: number): Uint8Array[] {
  return fields(message).flatMap(({ number, bytes }) => (number === wanted && bytes) || []);
}

interface Field {
  number: number;
  value: number;
  /** The content, if the field holds a text or a message. */
  bytes: Uint8Array | undefined;
}

/** The fields of a protocol buffer, up to the first one that cannot be read. */
function fields(message: Uint8Array, most = Infinity): Field[] {
  const found: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; at < message.length; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < message.length && found.length < most) {
    const tag = varint();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    const value = wire === VARINT || wire === BYTES ? varint() : 0;
    const length = wire === BYTES ? value : wire === VARINT ? 0 : FIXED[wire];
    if (length === undefined || at + length > message.length) return found;
    const bytes = wire === BYTES ? message.subarray(at, at + length) : undefined;
    found.push({ number, value, bytes });
    at += length;
  }
  return found;
}
