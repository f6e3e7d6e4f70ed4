import {
  modelNotFound,
  notInstalled,
  serverError,
  type ApiError,
} from '../../../core/errors/errors.ts';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { obstacles, refusals, type Device, type Obstacle } from '../../../core/fit/device-fit.ts';
import type { Variant } from '../../../core/catalog/variant.ts';

/**
 * Refuses a model before its download, if this device cannot run any of its variants.
 *
 * @param variant - the one that comes closest
 * @throws ApiError 500 webgpu_unavailable; 404 if the site's option `engines` is the reason
 */
export function refuseImpossible({ id }: CatalogEntry, variant: Variant, device: Device): void {
  const [why] = refusals(variant, device);
  if (why === 'engine') {
    const allowed = device.engines?.join(' and ');
    throw modelNotFound(id, `It is for ${variant.engine}; this site allows ${allowed} only.`);
  }
  if (why === undefined) return;
  const help =
    why === 'webgpu'
      ? 'It has no variant for the CPU, and this browser has no WebGPU, or no graphics processor that it may use. models.list() shows which models run here.'
      : 'Its graphics processor lacks shader-f16, and the model has no variant without it. models.list() shows which models run here.';
  throw serverError('webgpu_unavailable', `The model '${id}' cannot run on this device. ${help}`);
}

/** 404: the variant for this device is not installed. The message says if another variant is. */
export function notInstalledHere(entry: CatalogEntry, variant: Variant, device: Device): ApiError {
  const other = entry.variants.find(({ installed }) => installed);
  if (!other) return notInstalled(entry.id);
  const reasons = obstacles(entry, other, device).map((obstacle) => REASONS[obstacle]);
  const isSame = other.engine === variant.engine;
  const nameOf = ({ engine, quantization }: Variant) =>
    isSame ? `${engine} (${quantization})` : engine;
  const why = `Its variant for ${nameOf(other)} is installed, but ${reasons.join(', and ')}.`;
  const how = `models.install('${entry.id}') downloads the one for ${nameOf(variant)}.`;
  return modelNotFound(entry.id, `${why} ${how}`);
}

/** Each obstacle as the end of a sentence about a variant. */
const REASONS: Record<Obstacle, string> = {
  engine: 'this site does not allow that engine',
  webgpu: 'this browser has no graphics processor that it may use',
  'shader-f16': 'the graphics processor lacks shader-f16',
  'buffer-size': 'the graphics processor cannot bind buffers as large as the model’s',
  'webgpu-failed': 'the graphics processor has failed with it',
  memory: 'it does not fit into the memory budget',
  crashed: 'loading it has ended the tab',
  storage: 'the browser has too little space left',
};
