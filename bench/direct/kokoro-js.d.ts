/** The part that the bench uses. kokoro-js is not a dependency: the bench downloads it. */
declare module 'kokoro-js' {
  import type { Tensor } from '@huggingface/transformers';

  interface Audio {
    audio: Float32Array<ArrayBuffer>;
    sampling_rate: number;
  }

  interface Options {
    voice: string;
  }

  export class KokoroTTS {
    constructor(
      model: (inputs: Record<string, Tensor>) => Promise<{ waveform: Tensor }>,
      tokenizer: (phonemes: string) => { input_ids: Tensor },
    );
    generate(text: string, options: Options): Promise<Audio>;
    stream(
      text: TextSplitterStream,
      options: Options,
    ): AsyncGenerator<{ text: string; audio: Audio }>;
  }

  export class TextSplitterStream {
    push(...texts: string[]): void;
    close(): void;
  }
}
