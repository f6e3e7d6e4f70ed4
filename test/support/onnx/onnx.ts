/**
 * Writes small ONNX graphs of the operators that a test needs. Only the part of the format that the tests
 * use is here (onnx.proto3).
 */

export type Bytes = Uint8Array<ArrayBuffer>;

export const FLOAT = 1;
export const FLOAT16 = 10;
export const INT64 = 7;
export const BOOL = 9;

/** An input or output: its element type and its shape, with names for unknown dimensions. */
export interface Port {
  name: string;
  type: number;
  shape: (number | string)[];
}

export interface Node {
  op: string;
  inputs: string[];
  outputs: string[];
  /** Integers, or lists of integers. */
  attributes?: Record<string, number | number[]>;
}

export interface Weights {
  name: string;
  shape: number[];
  values: Float32Array | number[];
  /** Default: FLOAT. */
  type?: typeof FLOAT | typeof INT64;
}

export interface Graph {
  inputs: Port[];
  outputs: Port[];
  nodes: Node[];
  weights?: Weights[];
}

/** The bytes of a `.onnx` file. */
export function onnxFile({ inputs, outputs, nodes, weights = [] }: Graph): Bytes {
  const graph = join(
    ...nodes.map((node) => message(1, nodeProto(node))),
    text(2, 'graph'),
    ...weights.map((each) => message(5, tensorProto(each))),
    ...inputs.map((port) => message(11, portProto(port))),
    ...outputs.map((port) => message(12, portProto(port))),
  );
  const operators = join(text(1, ''), integer(2, 17));
  return join(integer(1, 8), message(7, graph), message(8, operators));
}

export function nodeProto({ op, inputs, outputs, attributes = {} }: Node): Bytes {
  return join(
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => message(5, attributeProto(name, value))),
  );
}

const INT = 2;
const INTS = 7;

function attributeProto(name: string, value: number | number[]): Bytes {
  return typeof value === 'number'
    ? join(text(1, name), integer(3, value), integer(20, INT))
    : join(text(1, name), ...value.map((each) => integer(8, each)), integer(20, INTS));
}

function tensorProto({ name, shape, values, type = FLOAT }: Weights): Bytes {
  const raw = type === FLOAT ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
  return join(
    ...shape.map((length) => integer(1, length)),
    integer(2, type),
    text(8, name),
    message(9, new Uint8Array(raw.buffer)),
  );
}

function portProto({ name, type, shape }: Port): Bytes {
  const dimensions = shape.map((length) =>
    message(1, typeof length === 'number' ? integer(1, length) : text(2, length)),
  );
  const tensor = join(integer(1, type), message(2, join(...dimensions)));
  return join(text(1, name), message(2, message(1, tensor)));
}

/** A field of a protocol buffer: its number and wire type, then its value. */
export function integer(field: number, value: number): Bytes {
  return join(varint(field << 3), varint(value));
}

export function text(field: number, value: string): Bytes {
  return message(field, new TextEncoder().encode(value));
}

export function message(field: number, bytes: Bytes): Bytes {
  return join(varint((field << 3) | 2), varint(bytes.length), bytes);
}

/** Seven bits a byte, the lowest first. Negative numbers have ten bytes. */
function varint(value: number): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

export function join(...parts: Bytes[]): Bytes {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
