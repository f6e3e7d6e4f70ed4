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
/** Bytes of the wire types that always have the same number. */
const FIXED: Record<number, number> = { 1: 8, 5: 4 };

/** The outputs of a `.onnx` file; none: it is no such file. */
export function graphOutputs(file: Uint8Array): GraphPort[] {
  return parts(file, GRAPH).flatMap((graph) => parts(graph, OUTPUT).map(portOf));
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
  /** Of a field that holds a text or a message. */
  bytes: Uint8Array | undefined;
}

/** The fields of a protocol buffer, up to the first one that cannot be read. */
function fields(message: Uint8Array): Field[] {
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
  while (at < message.length) {
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
