import type { LlamaInNode } from '../../../../models/llamacpp/llama-in-node.ts';

const BATCH = 32;

/** Pixels of a picture, always the same ones for a size. */
export function picture(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: width * height * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
    return (at % 3 === 0 ? 5 * x : at % 3 === 1 ? 7 * y : 3 * (x + y)) % 256;
  });
}

interface Reading {
  context: number;
  image: number;
  /** Tokens of a piece that are read at once; undefined: all. */
  batch?: number;
}

/** Reads a text, an image and a text at a position. @returns the position after them */
export function readImage(
  llama: LlamaInNode,
  { context, image, batch: most = Infinity }: Reading,
  before: string,
  after: string,
  from = 0,
): number {
  let position = from;
  const readText = (tokens: number[]) => {
    for (let start = 0; start < tokens.length; start += BATCH) {
      const batch = tokens.slice(start, start + BATCH);
      llama.decode(context, batch, position);
      position += batch.length;
    }
  };
  readText(llama.tokenize(before));
  const layout = llama.imageLayout(image);
  for (let at = 0, piece = 0; at < layout.length; at++) {
    const tokens = -(layout[at] ?? 0);
    if (tokens <= 0) {
      readText([-tokens]);
      continue;
    }
    llama.encode(image, piece++, 0);
    for (let first = 0; first < tokens; first += most) {
      llama.decodeImage(context, first, Math.min(most, tokens - first), position);
    }
    position += layout[++at] ?? 0;
  }
  readText(llama.tokenize(after));
  return position;
}
