import { FLOAT, FLOAT16, integer, join, message, nodeProto, type Bytes } from './onnx.ts';

/** A field of a protocol buffer: its value, if that is a number, or its bytes. */
interface Field {
  number: number;
  /** The field's bytes with its number and wire type. */
  whole: Bytes;
  value: number;
  bytes: Bytes;
}

const VARINT = 0;
const BYTES = 2;
/** Bytes of the wire types with a fixed size. */
const FIXED: Record<number, number> = { 1: 8, 5: 4 };
/** The largest 16-bit float. */
const LARGEST = 65_504;

/**
 * Converts a 32-bit graph to 16 bits, as converters for the hub do: weights and computed values have 16 bits, outputs
 * still have 32. The inputs must be integers.
 */
export function inHalf(file: Uint8Array): Bytes {
  return changed(Uint8Array.from(file), { 7: halfGraph });
}

function halfGraph(graph: Bytes): Bytes {
  const outputs = fieldsOf(graph)
    .filter(({ number }) => number === 12)
    .map(({ bytes }) => textOf(bytes, 1));
  const half = (name: Bytes) => {
    const written = new TextDecoder().decode(name);
    return outputs.includes(written) ? new TextEncoder().encode(`${written}.half`) : name;
  };
  const node = (bytes: Bytes) => changed(bytes, { 1: half, 2: half, 5: halfCast });
  const casts = outputs.map((name) =>
    nodeProto({ op: 'Cast', inputs: [`${name}.half`], outputs: [name], attributes: { to: FLOAT } }),
  );
  return join(
    changed(graph, { 1: node, 5: halfWeights }),
    ...casts.map((bytes) => message(1, bytes)),
  );
}

/** Turns the attribute of a cast to 32 bits into that of a cast to 16 bits. */
function halfCast(attribute: Bytes): Bytes {
  if (textOf(attribute, 1) !== 'to') return attribute;
  return join(
    ...fieldsOf(attribute).map(({ number, value, whole }) =>
      number === 3 && value === FLOAT ? integer(3, FLOAT16) : whole,
    ),
  );
}

function halfWeights(tensor: Bytes): Bytes {
  const fields = fieldsOf(tensor);
  if (!fields.some(({ number, value }) => number === 2 && value === FLOAT)) return tensor;
  return join(
    ...fields.map(({ number, bytes, whole }) => {
      if (number === 2) return integer(2, FLOAT16);
      return number === 9 ? message(9, halfNumbers(bytes)) : whole;
    }),
  );
}

function halfNumbers(bytes: Bytes): Bytes {
  const numbers = new Float32Array(bytes.slice().buffer);
  const within = (number: number) => Math.min(LARGEST, Math.max(-LARGEST, number));
  return new Uint8Array(Float16Array.from(numbers, within).buffer);
}

/** The message with some of its fields changed, by number. */
function changed(bytes: Bytes, changes: Record<number, (bytes: Bytes) => Bytes>): Bytes {
  return join(
    ...fieldsOf(bytes).map((field) => {
      const change = changes[field.number];
      return change ? message(field.number, change(field.bytes)) : field.whole;
    }),
  );
}

function textOf(bytes: Bytes, wanted: number): string {
  const field = fieldsOf(bytes).find(({ number }) => number === wanted);
  return new TextDecoder().decode(field?.bytes);
}

function fieldsOf(bytes: Bytes): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const start = at;
    const tag = varint();
    const [number, wire] = [Math.floor(tag / 8), tag % 8];
    const value = wire === VARINT || wire === BYTES ? varint() : 0;
    const first = at;
    at += wire === BYTES ? value : (FIXED[wire] ?? 0);
    const [whole, content] = [bytes.subarray(start, at), bytes.subarray(first, at)];
    fields.push({ number, whole, value, bytes: content });
  }
  return fields;
}
