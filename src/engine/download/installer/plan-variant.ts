import { modelNotFound } from '../../../core/errors/errors.ts';
import type { Installation, PackSource, Source, Variant } from '../../../core/catalog/variant.ts';
import type { EngineInstaller, EngineInstallers } from './engine-installer.ts';
import { packInstallation } from './embedded-packs.ts';
import type { ReadFile } from '../transfer/read-file.ts';

/** All files of a variant. A pack's manifest lists them; for other sources, the engine does. */
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

/** A model's features for the catalog entry, from its pack's manifest or from its files. */
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
