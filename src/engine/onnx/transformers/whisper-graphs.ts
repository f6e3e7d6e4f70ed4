import { Tensor, WhisperForConditionalGeneration } from '@huggingface/transformers';
import * as v from 'valibot';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { computingDevice, MODEL, orRuntimeError, serve } from './runtime.ts';
import type { Dtype } from './text-graph.ts';
import { WhisperFeatures } from './whisper-features.ts';
import { choosing, numbers, type Generating } from './writing-tokens.ts';

/** Sound as the model reads it, and the output of its encoder. */
export interface HeardSound {
  features: Tensor;
  encoded?: Tensor;
}

/** The options of one run of the decoder. */
export interface WritingOptions {
  /** The tokens before the text. */
  prompt: readonly number[];
  /** Most tokens to write. */
  most: number;
  /**
   * Chooses the next token.
   *
   * @param logits - of all tokens; may be changed
   * @param written - the tokens so far, without the prompt
   */
  choose: (logits: Float32Array, written: readonly number[]) => number;
  /** Gets the logits at each place of the prompt, one row after the other. */
  onPrompt?: ((logits: Float32Array, rowLength: number) => void) | undefined;
  /** For the time of each token: the attention heads that follow the sound, and the number of its frames. */
  alignment?: { heads: [number, number][]; frames: number } | undefined;
  /** Is awaited after each run of the decoder, before a token is chosen. */
  onStep: () => Promise<void>;
}

export interface Writing {
  /** Without the prompt; the last one is the end token, unless `most` was reached. */
  tokens: number[];
  /** When each token was said, seconds; undefined: not asked for. */
  times?: number[];
}

const logitsSchema = v.object({ logits: v.instance(Tensor) });
const sessionSchema = v.object({ outputNames: v.array(v.string()) });

/** Whisper's encoder and decoder, in memory. */
export class WhisperGraphs {
  readonly #model: WhisperForConditionalGeneration;
  readonly #features: WhisperFeatures;
  /** The sound and the callbacks of the decoder's current run. */
  #run: ({ sound: HeardSound } & Pick<WritingOptions, 'onPrompt' | 'onStep'>) | undefined;

  private constructor(model: WhisperForConditionalGeneration, features: WhisperFeatures) {
    this.#model = model;
    this.#features = features;
    const forward = model.forward.bind(model);
    model.forward = async (inputs: Record<string, unknown>) => {
      const outputs: unknown = await forward(inputs);
      this.#note(inputs, outputs);
      await this.#run?.onStep();
      return outputs;
    };
  }

  /**
   * @param read - gives the model's files, at their paths in a hub's repository
   * @param dtype - type of the weights of both graphs: it determines their file names
   */
  static load(read: ReadFile, dtype: Dtype): Promise<WhisperGraphs> {
    serve(read);
    return orRuntimeError(async () => {
      const options = { device: computingDevice(), dtype };
      const model = await WhisperForConditionalGeneration.from_pretrained(MODEL, options);
      if (!(model instanceof WhisperForConditionalGeneration)) {
        throw new Error('The model is not a Whisper model.');
      }
      return new WhisperGraphs(model, await WhisperFeatures.load());
    });
  }

  /** Whether the decoder gives the attentions that tell the times of tokens. */
  get hasAttentions(): boolean {
    const { outputNames } = v.parse(sessionSchema, this.#model.sessions['decoder_model_merged']);
    return outputNames.some((name) => name.startsWith('cross_attentions'));
  }

  /** @param samples - at the model's sample rate; what exceeds its window is cut off */
  async hear(samples: Float32Array): Promise<HeardSound> {
    return { features: await orRuntimeError(() => this.#features.of(samples)) };
  }

  /** Writes what was said. The encoder runs once for each sound. */
  write(sound: HeardSound, options: WritingOptions): Promise<Writing> {
    return orRuntimeError(() => this.#write(sound, options));
  }

  async dispose(): Promise<void> {
    await this.#model.dispose();
  }

  async #write(sound: HeardSound, options: WritingOptions): Promise<Writing> {
    const { prompt, most, choose, onPrompt, onStep, alignment } = options;
    const chooser = choosing((logits, ids) => choose(logits, ids.slice(prompt.length)));
    this.#run = { sound, onPrompt, onStep };
    try {
      const ids = BigInt64Array.from(prompt, BigInt);
      const model: Generating = this.#model;
      const outputs = await model.generate({
        inputs: sound.features,
        ...(sound.encoded && { encoder_outputs: sound.encoded }),
        decoder_input_ids: new Tensor('int64', ids, [1, prompt.length]),
        logits_processor: chooser,
        max_new_tokens: most,
        do_sample: false,
        ...(alignment && {
          return_token_timestamps: true,
          alignment_heads: alignment.heads,
          num_frames: alignment.frames,
        }),
      });
      return written(outputs, prompt.length);
    } finally {
      this.#run = undefined;
    }
  }

  /** Keeps the encoder's output for a second run, and shows the logits of the prompt. */
  #note(inputs: Record<string, unknown>, outputs: unknown): void {
    const run = this.#run;
    if (!run) return;
    const { encoder_outputs: encoded } = inputs;
    if (encoded instanceof Tensor) run.sound.encoded = encoded;
    const { onPrompt } = run;
    if (!onPrompt) return;
    run.onPrompt = undefined;
    const { logits } = v.parse(logitsSchema, outputs);
    const values: unknown = logits.to('float32').data;
    if (values instanceof Float32Array) onPrompt(values, logits.dims.at(-1) ?? 0);
  }
}

const writingSchema = v.object({
  sequences: v.instance(Tensor),
  token_timestamps: v.optional(v.instance(Tensor)),
});

function written(outputs: unknown, promptLength: number): Writing {
  const { sequences, token_timestamps: times } =
    outputs instanceof Tensor ? { sequences: outputs } : v.parse(writingSchema, outputs);
  const tokens = numbers(sequences).slice(promptLength);
  return times ? { tokens, times: numbers(times).slice(promptLength) } : { tokens };
}
