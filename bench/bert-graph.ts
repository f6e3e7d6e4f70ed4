import { seededRandom } from '../scripts/seeded-random.ts';
import { FLOAT, INT64, onnxFile, type Node, type Weights } from '../test/support/onnx/onnx.ts';

/** Sizes of a BERT. */
export interface BertShape {
  words: number;
  /** The most tokens of a text. */
  positions: number;
  width: number;
  layers: number;
  heads: number;
  feedForward: number;
}

/** The graph of a BERT with random 32-bit weights. It has the operators that exporters write. */
export function bertGraph(shape: BertShape): Uint8Array {
  const writer = new BertWriter(shape);
  writer.write();
  const perToken = ['batch', 'tokens'];
  return onnxFile({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: INT64,
      shape: perToken,
    })),
    outputs: [{ name: 'last_hidden_state', type: FLOAT, shape: [...perToken, shape.width] }],
    nodes: writer.nodes,
    weights: writer.weights,
  });
}

/** Adds the nodes of a graph in their order. Each node is named by its output. */
class BertWriter {
  readonly nodes: Node[] = [];
  readonly weights: Weights[] = [];
  readonly #shape: BertShape;
  readonly #random = seededRandom(1);

  constructor(shape: BertShape) {
    this.#shape = shape;
  }

  write(): void {
    const { layers } = this.#shape;
    const mask = this.#mask();
    let states = this.#embeddings();
    for (let layer = 0; layer < layers; layer++) {
      const attended = this.#attention(`layer${layer}.attention`, states, mask);
      const summed = this.#node(`layer${layer}.attended`, 'Add', [attended, states]);
      const normed = this.#norm(`layer${layer}.attended.norm`, summed);
      const fed = this.#feedForward(`layer${layer}.ffn`, normed);
      const output = layer === layers - 1 ? 'last_hidden_state' : `layer${layer}.states`;
      states = this.#norm(output, this.#node(`layer${layer}.fed`, 'Add', [fed, normed]));
    }
  }

  /** The mask that is added to the scores of attention: 0 for each token, and very negative for padding. */
  #mask(): string {
    const unsqueezed = this.#node('mask.rows', 'Unsqueeze', [
      'attention_mask',
      this.#numbers('mask.axes', INT64, [1, 2]),
    ]);
    const cast = this.#node('mask.float', 'Cast', [unsqueezed], { to: FLOAT });
    const padding = this.#node('mask.padding', 'Sub', [this.#numbers('one', FLOAT, 1), cast]);
    return this.#node('mask', 'Mul', [padding, this.#numbers('mask.least', FLOAT, -1e9)]);
  }

  #embeddings(): string {
    const { words, positions, width } = this.#shape;
    const size = this.#node('ids.shape', 'Shape', ['input_ids']);
    const length = this.#node('ids.length', 'Gather', [size, this.#numbers('1', INT64, 1)]);
    const zero = this.#numbers('0', INT64, 0);
    const places = this.#node('ids.places', 'Range', [zero, length, '1']);
    const rows = [
      this.#node('word', 'Gather', [this.#random2('words', words, width), 'input_ids']),
      this.#node('type', 'Gather', [this.#random2('types', 2, width), 'token_type_ids']),
      this.#node('position', 'Gather', [this.#random2('positions', positions, width), places]),
    ];
    const [word = '', type = '', position = ''] = rows;
    const typed = this.#node('typed', 'Add', [word, type]);
    return this.#norm('embedded', this.#node('placed', 'Add', [typed, position]));
  }

  #attention(name: string, states: string, mask: string): string {
    const { width, heads } = this.#shape;
    const split = this.#numbers(`${name}.split`, INT64, [0, 0, heads, width / heads]);
    const perHead = (part: string, perm: number[]) => {
      const projected = this.#linear(`${name}.${part}`, states, width, width);
      const parted = this.#node(`${name}.${part}.heads`, 'Reshape', [projected, split]);
      return this.#node(`${name}.${part}.turned`, 'Transpose', [parted], { perm });
    };
    const query = perHead('query', [0, 2, 1, 3]);
    const key = perHead('key', [0, 2, 3, 1]);
    const value = perHead('value', [0, 2, 1, 3]);
    const products = this.#node(`${name}.products`, 'MatMul', [query, key]);
    const root = this.#numbers(`${name}.root`, FLOAT, Math.sqrt(width / heads));
    const scaled = this.#node(`${name}.scaled`, 'Div', [products, root]);
    const masked = this.#node(`${name}.masked`, 'Add', [scaled, mask]);
    const chances = this.#node(`${name}.chances`, 'Softmax', [masked], { axis: -1 });
    const mixed = this.#node(`${name}.mixed`, 'MatMul', [chances, value]);
    const perm = [0, 2, 1, 3];
    const turned = this.#node(`${name}.mixed.turned`, 'Transpose', [mixed], { perm });
    const whole = this.#numbers(`${name}.whole`, INT64, [0, 0, width]);
    const joined = this.#node(`${name}.joined`, 'Reshape', [turned, whole]);
    return this.#linear(`${name}.output`, joined, width, width);
  }

  #feedForward(name: string, states: string): string {
    const { width, feedForward } = this.#shape;
    const raised = this.#linear(`${name}.up`, states, width, feedForward);
    return this.#linear(`${name}.down`, this.#gelu(name, raised), feedForward, width);
  }

  /** GELU in the form that exporters write. ONNX Runtime fuses it into one node. */
  #gelu(name: string, input: string): string {
    const root = this.#numbers(`${name}.root2`, FLOAT, Math.SQRT2);
    const error = this.#node(`${name}.erf`, 'Erf', [
      this.#node(`${name}.divided`, 'Div', [input, root]),
    ]);
    const raised = this.#node(`${name}.raised`, 'Add', [error, 'one']);
    const doubled = this.#node(`${name}.doubled`, 'Mul', [input, raised]);
    return this.#node(`${name}.gelu`, 'Mul', [doubled, this.#numbers(`${name}.half`, FLOAT, 0.5)]);
  }

  #linear(name: string, input: string, from: number, to: number): string {
    const product = this.#node(`${name}.product`, 'MatMul', [
      input,
      this.#random2(`${name}.weight`, from, to),
    ]);
    return this.#node(name, 'Add', [this.#constant(`${name}.bias`, to, 0), product]);
  }

  #norm(name: string, input: string): string {
    const { width } = this.#shape;
    const scale = this.#constant(`${name}.scale`, width, 1);
    const bias = this.#constant(`${name}.shift`, width, 0);
    return this.#node(name, 'LayerNormalization', [input, scale, bias], { axis: -1 });
  }

  #node(output: string, op: string, inputs: string[], attributes?: Node['attributes']): string {
    this.nodes.push({ op, inputs, outputs: [output], ...(attributes && { attributes }) });
    return output;
  }

  /** A matrix of small random numbers. */
  #random2(name: string, rows: number, columns: number): string {
    const values = Float32Array.from({ length: rows * columns }, () => (this.#random() - 0.5) / 10);
    this.weights.push({ name, shape: [rows, columns], values });
    return name;
  }

  #constant(name: string, length: number, value: number): string {
    this.weights.push({ name, shape: [length], values: new Float32Array(length).fill(value) });
    return name;
  }

  /** A scalar, or a list of numbers. */
  #numbers(name: string, type: typeof FLOAT | typeof INT64, value: number | number[]): string {
    const values = typeof value === 'number' ? [value] : value;
    const shape = typeof value === 'number' ? [] : [values.length];
    this.weights.push({ name, shape, values, type });
    return name;
  }
}
