import { modelNotFound } from '../../../core/errors/errors.ts';
import type { Installation, PackSource, Source, Variant } from '../../../core/catalog/variant.ts';
import type { EngineInstaller, EngineInstallers } from './engine-installer.ts';
import { packInstallation } from './embedded-packs.ts';
import type { ReadFile } from '../transfer/read-file.ts';

/** All files of a variant: of a pack as its manifest lists them, of a hub model as its engine says. */
export function planInstallation(
  variant: Variant,
  engines: EngineInstallers,
  signal: AbortSignal,
): Promise<Installation> {
  switch (variant.engine) {
    case 'webllm':
      return planSource(variant.source, engines.webllm, signal);
    case 'llamacpp':
      return planSource(variant.source, engines.llamacpp, signal);
    case 'onnx':
      return planSource(variant.source, engines.onnx, signal);
    case 'builtin':
      throw modelNotFound(variant.id, 'It has no files.');
  }
}

async function planSource<S extends Exclude<Source, PackSource>>(
  source: PackSource | S,
  engine: EngineInstaller<S>,
  signal: AbortSignal,
): Promise<Installation> {
  return source.kind === 'pack' ? packInstallation(source) : engine.plan(source, signal);
}

/** What a model can do, as the catalog entry names it: a pack's manifest says it, or its files tell. */
export async function learnFeatures(
  variant: Variant,
  engines: EngineInstallers,
  read: ReadFile,
): Promise<string[]> {
  const { source, engine } = variant;
  if (source.kind === 'pack') return source.manifest.features;
  if (engine === 'builtin') return [];
  return (await engines[engine].featuresOf?.(read, variant)) ?? [];
}
