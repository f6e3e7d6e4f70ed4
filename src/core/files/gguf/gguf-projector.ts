import * as v from 'valibot';
import { GgufError } from './gguf-error.ts';
import { field, optionalField, type GgufHeader } from './gguf-header.ts';
import { namedQuantization } from './gguf-quantization.ts';
import { requireAligned, requireTensorTypes } from './gguf-support.ts';
import { PROJECTORS } from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';
import type { GgufMemory } from './memory-of-context.ts';

/** Names of projectors, as llama.cpp's converter gives them. */
const NAMED = /(^|[^a-z])mmproj([^a-z]|$)/i;

const ARCHITECTURE = 'clip';
/** Types that see each image, or each piece of one, at the size in their file. Others see an image at its own size. */
const OF_ONE_SIZE = new Set(['gemma3', 'idefics3', 'janus_pro', 'ldp', 'ldpv2', 'llama4', 'mlp']);
/** Types among these that see an image as a whole, unless their file lists several sizes of images. */
const OF_WHOLE_IMAGES = new Set(['gemma3', 'janus_pro', 'ldp', 'ldpv2', 'mlp']);
/** Types that see an image as a whole at its own size: a photo would take gigabytes. */
const OF_OWN_SIZE = new Set([
  ...['gemma4uv', 'gemma4v', 'qwen2.5o', 'qwen2.5vl_merger', 'qwen2vl_merger', 'qwen3vl_merger'],
]);
/** Pixels that we count memory for, in images that are seen at their own size. */
const LARGEST_PIXELS = 1024 * 1024;
const FLOAT_BYTES = 4;
/** Bytes of the window masks for each pair of patches: two floats of 32 bits, and one of 16 bits. */
const WINDOW_BYTES = 10;

/** Whether the file at this path is a projector: it turns images into tokens of the model beside it. */
export function isProjector(path: string): boolean {
  return /\.gguf$/i.test(path) && NAMED.test(path.slice(path.lastIndexOf('/') + 1));
}

/** Q8_0 before F16: it is as good, half as large, and our kernels compute it faster. */
const PREFERRED = ['Q8_0', 'F16', 'BF16', 'F32'];

/** The projector of a model among a repository's files: in its folder, of the best type, the smallest. */
export function bestProjector<F extends { path: string; size: number }>(
  model: string,
  files: readonly F[],
): F | undefined {
  const distance = ({ path }: F) => (folderOf(path) === folderOf(model) ? 0 : path.length);
  const rank = ({ path }: F) => {
    const place = PREFERRED.indexOf(namedQuantization(path) ?? '');
    return place < 0 ? PREFERRED.length : place;
  };
  const [best] = files
    .filter(({ path }) => isProjector(path))
    .sort((a, b) => distance(a) - distance(b) || rank(a) - rank(b) || a.size - b.size);
  return best;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Whether the projector is for images; others are for sound, and the model is used without them. */
export function seesImages({ metadata }: GgufHeader): boolean {
  return metadata.get('clip.has_vision_encoder') === true;
}

/**
 * Refuses a projector that the build of llama.cpp could not run, before anything but its header is read.
 *
 * @throws GgufError that says what is missing
 */
export function requireUsableProjector(header: GgufHeader): void {
  const { name, tensors } = header;
  const architecture = field(header, 'general.architecture', v.string());
  if (architecture !== ARCHITECTURE) throw new GgufError(`${name} is not a projector for images.`);
  const type = typeOf(header);
  if (!PROJECTORS.has(type)) {
    throw new GgufError(
      `${name} is a projector of the type "${type}", which this build of llama.cpp cannot run.`,
    );
  }
  if (tensors.length === 0) throw new GgufError(`${name} has no weights.`);
  requireTensorTypes(header);
  requireAligned(header);
}

/** Memory that a model takes if it is loaded with its projector. */
export function withProjector(memory: GgufMemory, projector: GgufHeader): GgufMemory {
  const { tensors } = projector;
  const bytes = tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), 0);
  return {
    ...memory,
    weightBytes: memory.weightBytes + bytes,
    bufferBytes: memory.bufferBytes + encodingBytes(projector),
  };
}

/** Bytes for encoding an image: its pixels, and the intermediate results of all patches of a layer. */
function encodingBytes(header: GgufHeader): number {
  const number = (key: string) => field(header, `clip.vision.${key}`, v.number());
  const pixels = OF_ONE_SIZE.has(typeOf(header)) ? number('image_size') ** 2 : ownPixels(header);
  const patches = pixels / number('patch_size') ** 2;
  const each = 6 * number('embedding_length') + 2 * number('feed_forward_length');
  const windows = header.metadata.has('clip.vision.n_wa_pattern') ? WINDOW_BYTES * patches ** 2 : 0;
  return (3 * pixels + patches * each) * FLOAT_BYTES + windows;
}

/** How many pixels an image that is seen at its own size may have. */
function ownPixels(header: GgufHeader): number {
  return Math.max(field(header, 'clip.vision.image_size', v.number()) ** 2, LARGEST_PIXELS);
}

/** Most pixels of an image that is passed to llama.cpp; undefined: no limit. */
export function mostPixels(header: GgufHeader): number | undefined {
  return OF_OWN_SIZE.has(typeOf(header)) ? ownPixels(header) : undefined;
}

/**
 * The side of the square that any image becomes, pixels; undefined: the model sees pieces of an image, or images of
 * several sizes.
 */
export function wholeImageSide(header: GgufHeader): number | undefined {
  const number = (key: string) => optionalField(header, `clip.vision.${key}`, v.number());
  const side = number('image_size');
  const type = typeOf(header);
  if (type === 'idefics3') {
    // Images larger than a piece are scaled to this size, and then cut.
    return (number('preproc_image_size') ?? Infinity) <= (side ?? 0) ? side : undefined;
  }
  const isWhole =
    OF_WHOLE_IMAGES.has(type) && !header.metadata.has('clip.vision.image_grid_pinpoints');
  return isWhole ? side : undefined;
}

function typeOf(header: GgufHeader): string {
  const stated = (key: string) => optionalField(header, key, v.string());
  return stated('clip.projector_type') ?? stated('clip.vision.projector_type') ?? 'unknown';
}
