import built from '../../../../../models/llamacpp/built/llamacpp.json' with { type: 'json' };
import { aloneIn, KeptPrompts } from '../../../kept-prompts/kept-prompts.ts';
import { PromptFolder } from '../../../kept-prompts/prompt-folder.ts';
import { promptsDatabase } from '../../../kept-prompts/prompts-database.ts';
import type { KvCacheType } from '../../../../core/realms/kv-cache-type.ts';
import type { LoadModel } from '../../messages.ts';
import type { Llama } from '../llama.ts';
import { KeptStates, type PromptStore } from './kept-states.ts';

/** What names the build that computes on each device. With threads, the CPU computes the same as without. */
const BUILDS = {
  wasm: built.files['llamacpp.wasm'].sha256,
  webgpu: built.files['llamacpp-gpu.wasm'].sha256,
};

/** Opens the kept prompts of a site. @param base - URL of the site's folder */
export type OpenPrompts = (base: string) => PromptStore;

export const openPrompts: OpenPrompts = (base) => {
  const { pathname: scope } = new URL(base);
  const parts = { open: promptsDatabase(scope), folder: new PromptFolder(scope) };
  return new KeptPrompts({ ...parts, alone: aloneIn(scope) });
};

/** What computes the states of a model. */
interface Computing {
  build: keyof typeof BUILDS;
  kvCacheType: KvCacheType;
  /** Waits as `settled` of KeptStates; undefined: nothing has to be waited for. */
  settled?: () => void | Promise<void>;
}

/** The kept prompts of a model. One type of KV cache cannot take what another one has held. */
export function openStates(
  llama: Llama,
  open: OpenPrompts,
  { base, ...model }: LoadModel['kept'],
  { build: device, kvCacheType, settled = () => undefined }: Computing,
): KeptStates {
  const build = kvCacheType === 'f16' ? BUILDS[device] : `${BUILDS[device]} ${kvCacheType}`;
  const warn = (error: unknown) => console.warn('slashv1: A prompt is not kept on disk:', error);
  return new KeptStates({ llama, store: open(base), of: { ...model, build }, settled, warn });
}
