import type { LlamaGpuModuleFactory } from '../module.ts';

declare const make: LlamaGpuModuleFactory;
export default make;
