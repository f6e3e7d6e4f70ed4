import { retriable } from '../../../../core/async/retriable.ts';
import type { AudioFormat } from '../../../../core/operations/jobs/jobs.ts';
import type { AudioFile } from './audio-file.ts';
import { EncodedFile } from './encoded-file.ts';
import { Mp3File } from './mp3-file.ts';
import { PcmFile } from './pcm-file.ts';
import { WavFile } from './wav-file.ts';

/** Starts audio files in every format of the API. */
export class AudioFormats {
  readonly #mp3Encoder: () => Promise<WebAssembly.Module>;

  /** @param fetchEncoder - fetches the WebAssembly of the MP3 encoder; called for the first MP3 */
  constructor(fetchEncoder: () => Promise<BufferSource>) {
    this.#mp3Encoder = retriable(async () => WebAssembly.compile(await fetchEncoder()));
  }

  /** @param sampleRate - hertz */
  async open(format: AudioFormat, sampleRate: number): Promise<AudioFile> {
    switch (format) {
      case 'wav':
        return new WavFile(sampleRate);
      case 'pcm':
        return new PcmFile(sampleRate);
      case 'mp3':
        return Mp3File.open(await this.#mp3Encoder(), sampleRate);
      case 'opus':
      case 'aac':
      case 'flac':
        return EncodedFile.open(format, sampleRate);
    }
  }
}
