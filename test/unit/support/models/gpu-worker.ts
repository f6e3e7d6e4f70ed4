import { vi } from 'vitest';
import { databaseOpener } from '../../../../src/core/database/database.ts';
import type { PromptImage } from '../../../../src/core/operations/jobs/jobs.ts';
import { withReferences } from '../../../../src/engine/conversation/prompt/prompt-images.ts';
import type { FromModelWorker, LoadModel } from '../../../../src/engine/llamacpp/messages.ts';
import type { ModelPart } from '../../../../src/engine/llamacpp/model-files.ts';
import { storedChecks } from '../../../../src/engine/llamacpp/worker/gpu/gpu-checks.ts';
import { gpuOpener, type OpenGpu } from '../../../../src/engine/llamacpp/worker/gpu/open-gpu.ts';
import { ModelServer } from '../../../../src/engine/llamacpp/worker/model-server.ts';
import { tinyGguf } from '../../../support/gguf/tiny-gguf.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import type { FakeGpu } from '../fakes/fake-gpu.ts';
import { KEPT, keptOnFakeDisk } from './kept-prompts.ts';
import { picture } from './read-image.ts';

const BUILT = new URL('../../../../models/llamacpp/built/', import.meta.url);
const BUILD = {
  script: new URL('llamacpp-gpu.js', BUILT),
  wasm: new URL('llamacpp-gpu.wasm', BUILT),
};
export const BASE = 'http://site/gpu/';
/** ggml's numbers of the types. */
const [F32, F16, Q8_0] = [0, 1, 8];

/** Lets this GPU pass for one that computes right, although all its results are zero. */
export async function trust({ info }: FakeGpu): Promise<void> {
  const open = databaseOpener(new URL(BASE).pathname);
  await storedChecks(open, info as GPUAdapterInfo).keep(new Set([F32, F16, Q8_0]));
}

/** A Blob that can be read at once, as in workers. All that follows its beginning is zero, and takes no memory. */
class HeldBlob extends Blob {
  readonly #beginning: Uint8Array;
  readonly #size: number;

  constructor(beginning: Uint8Array, size = beginning.length) {
    super();
    this.#beginning = beginning;
    this.#size = size;
  }

  override get size(): number {
    return this.#size;
  }

  /** All its bytes. */
  read(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#size);
    bytes.set(this.#beginning);
    return bytes;
  }

  override slice(from = 0, to = this.#size): HeldBlob {
    const end = Math.min(to, this.#size);
    return new HeldBlob(this.#beginning.subarray(from, end), end - from);
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.read().buffer);
  }

  override stream(): ReturnType<Blob['stream']> {
    return new Blob([this.read()]).stream();
  }
}

/** @param size - of the file, if it is longer than its beginning */
export function part(name: string, beginning: Uint8Array, size = beginning.length) {
  return { name, size, blob: new HeldBlob(beginning, size) };
}

interface Browser {
  /** Undefined: there is no WebGPU in workers. */
  gpu?: GPU;
  userAgent?: string;
}

/** Opens the real build for GPUs with the GPU of a browser. */
export function openerOf({ gpu, userAgent = 'Chrome/140' }: Browser): OpenGpu {
  return gpuOpener(BUILD, { ...(gpu && { gpu }), userAgent }, (blob) => {
    if (!(blob instanceof HeldBlob)) throw new Error('Nobody can read this Blob at once.');
    return blob.read().buffer;
  });
}

/** The worker of a model that the GPU computes. */
export class GpuWorker {
  readonly messages: FromModelWorker[] = [];
  onMessage: (message: FromModelWorker) => void = () => undefined;
  readonly #server: ModelServer;
  #id = 0;

  constructor(browser: Browser) {
    this.#server = new ModelServer({
      openModule: () => Promise.reject(new Error('The CPU was not asked.')),
      openGpu: openerOf(browser),
      xgrammar: loadXGrammar(),
      decodeImage: async () => ({ width: 70, height: 40, rgb: new Uint8Array(picture(70, 40)) }),
      openPrompts: () => keptOnFakeDisk().kept,
      turn: () => new Promise((resolve) => setImmediate(resolve)),
      port: {
        postMessage: (message) => {
          this.messages.push(message);
          this.onMessage(message);
        },
      },
    });
  }

  /** @returns `loaded`, or the failure */
  load(bytes: Uint8Array = tinyGguf(), projector?: Uint8Array) {
    const eyes = projector && part('mmproj.gguf', projector);
    return this.loadParts([part('tiny.gguf', bytes)], eyes);
  }

  loadParts(parts: ModelPart[], projector?: ModelPart) {
    this.#load(parts, projector);
    return this.outcome();
  }

  /**
   * Begins to load a model that is being downloaded.
   *
   * @returns what gives it the next bytes of its file; default: all that are missing
   */
  arrive(bytes: Uint8Array): (count?: number) => void {
    this.#load([{ name: 'tiny.gguf', size: bytes.length }]);
    let given = 0;
    return (count = bytes.length) => {
      const piece = new Uint8Array(bytes.subarray(given, given + count));
      given += piece.length;
      this.#server.receive({ type: 'fill', part: 0, pieces: [piece] });
    };
  }

  /** @returns `loaded`, or the failure */
  async outcome() {
    const { type, ...rest } = await this.#first('loaded', 'failed');
    return 'failure' in rest ? rest.failure : type;
  }

  #load(parts: ModelPart[], projector?: ModelPart): void {
    const request: LoadModel = {
      parts,
      projector,
      contextLength: 256,
      threads: 1,
      kept: KEPT,
      onGpu: { base: BASE },
    };
    this.#server.receive({ type: 'load', request });
  }

  /** @returns how an answer of some tokens ends */
  async answer(prompt: string, images?: PromptImage[]) {
    const read = withReferences([{ role: 'user', content: prompt, images: images ?? [] }]);
    const generation = {
      sampling: { temperature: 0 },
      random: { seed: 1, choice: 0, drawn: 0 },
      maxTokens: 3,
      images: read.images,
    };
    const request = {
      prompt: read.messages[0]?.content ?? '',
      generation,
      written: [],
      mayAddCache: true,
    };
    this.messages.length = 0;
    this.#server.receive({ type: 'generate', id: ++this.#id, request });
    const { outcome } = await this.#first('ended');
    return outcome.kind === 'failed' ? outcome.failure : outcome.kind;
  }

  #first<T extends FromModelWorker['type']>(...types: T[]) {
    const isWanted = (message: FromModelWorker): message is Extract<FromModelWorker, { type: T }> =>
      types.some((type) => type === message.type);
    return vi.waitFor(() => {
      const found = this.messages.find(isWanted);
      if (!found) throw new Error(`There was no ${types.join(' or ')}.`);
      return found;
    });
  }
}
