import type { TextEngineName } from '../../../src/core/realms/device-report.ts';

/** Which engine writes text; a project of the configuration sets it. */
export interface EngineOption {
  engine: TextEngineName;
  /** Whether the engine outlives its pages, as with `start({ outlive: true })`. */
  outlive: boolean;
  /** Whether llama.cpp computes on a GPU, in a browser that has one with 16 bits. */
  onGpu: boolean;
}
