import type { EngineConfig } from '../../../core/realms/messages.ts';

const HUB = 'https://huggingface.co/';
/** WebLLM's `modelLibURLPrefix`. */
const LIBRARIES =
  'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/';

/** The URLs of the folders that models are downloaded from, "/" at their ends. */
export function placesOf({ hub, libraries }: Pick<EngineConfig, 'hub' | 'libraries'>) {
  return { hub: hub || HUB, libraries: libraries || LIBRARIES };
}
