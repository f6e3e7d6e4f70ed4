import type { Embedding, Task, Transcription } from './catalog-entry.ts';
import type { ComputeDevice } from '../realms/device-report.ts';
import type { CpuReason } from '../fit/gguf-device.ts';
import type { KvCacheType } from '../realms/kv-cache-type.ts';
import type { Obstacle } from '../fit/device-fit.ts';
import type { Measurement } from '../fit/measurement.ts';
import type { Speech } from './speech.ts';
import type { Stop, Variant } from './variant.ts';

export type { Measurement, Task };

/** One way to run a model, as this device sees it. */
export interface VariantOffer extends Pick<Variant, 'engine' | 'quantization'> {
  /** Whether it is in the weight store. */
  installed: boolean;
  /** Download size, bytes; undefined: unknown. */
  bytes?: number;
  /** Why this device does not run it, or not well; empty: none known. */
  obstacles: Obstacle[];
  /** For a GGUF file: what llama.cpp computes it on. */
  device?: ComputeDevice;
  /** Why this is the CPU. */
  cpuReason?: CpuReason;
  /** Why the CPU computes the images of a model that is on the GPU, as its last load found; undefined: the GPU does. */
  imagesOnCpu?: string;
}

/** A model as `models.list()` shows it. */
export interface CatalogModel {
  id: string;
  /**
   * `chat` models write text, `speech` models speak it, `embedding` models turn it into vectors, `rerank` models rate
   * documents for a query, and `transcription` models turn speech into text.
   */
  task: Task;
  /** The way to run the model that this device uses; all other facts are about this variant. */
  variant: Pick<Variant, 'engine' | 'quantization'>;
  /**
   * All ways to run it, the one in use first. If another one has no obstacles either, it is not in use
   * because the first is installed already, or is faster here.
   */
  variants: VariantOffer[];
  /**
   * `embedded`: served with this site, downloaded and loaded on first use. `available`: can be installed.
   * `downloading`: a download runs. `paused`: a download stopped, and `install` continues it. `installed`:
   * in the weight store. `loaded`: in memory as well.
   */
  state: 'embedded' | 'available' | 'downloading' | 'paused' | 'installed' | 'loaded';
  /** Served with this site: a request downloads it if necessary. */
  embedded: boolean;
  /** Why it does not run on this device, or not well; empty: none known. */
  obstacles: Obstacle[];
  /** For a GGUF file: what llama.cpp computes it on. */
  device?: ComputeDevice;
  /** Why this is the CPU. */
  cpuReason?: CpuReason;
  /** Why the CPU computes the images of a model that is on the GPU, as its last load found; undefined: the GPU does. */
  imagesOnCpu?: string;
  /** Download size, bytes; undefined: unknown. */
  bytes?: number;
  /** Bytes received so far, while it is downloading or paused. */
  downloadedBytes?: number;
  /** Why a paused download does not run; `interrupted`: the tab that downloaded was closed, or its browser ended. */
  stopped?: Stop | { why: 'interrupted' };
  /**
   * Whether the files of a model that lie outside of this browser may be read; `prompt`: after `models.allow`. Undefined:
   * it has none.
   */
  permission?: 'granted' | 'prompt' | 'denied';
  /** When it was last loaded or installed, Unix milliseconds; undefined: never. */
  lastUsedAt?: number;
  /** Estimated memory when loaded, on the GPU or the CPU, bytes; undefined: unknown. */
  memoryBytes?: number;
  /** How fast it was when `models.measure` was last called; undefined: never. */
  measured?: Measurement;
  /** GPU memory when loaded, bytes; undefined: unknown. */
  gpuBytes?: number;
  /**
   * Context length that it is loaded with on this device, tokens. On the CPU it is shorter than the model's own
   * if no more fits into the memory budget. Undefined: unknown.
   */
  contextLength?: number;
  /**
   * The type of the KV cache that a GGUF model is loaded with on this device; undefined: it is no such model, or writes no
   * text. `f16` stands for 32 bits if all weights of the model have as many.
   */
  kvCacheType?: KvCacheType;
  quantization: string;
  /** Whether it can be shown images; undefined: it cannot. */
  sees?: true;
  license?: string;
  /** Voices, languages and sample rate of a model whose task is `speech`. */
  speech?: Speech;
  /** Lengths of the vectors of a model whose task is `embedding`. */
  embedding?: Embedding;
  /** Languages and features of a model whose task is `transcription`. */
  transcription?: Transcription;
}
