import type { LlamaModuleFactory } from '../module.ts';

declare const make: LlamaModuleFactory;
export default make;
