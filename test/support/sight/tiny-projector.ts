import { f32Bytes, ggufBytes, type Field } from '../gguf/gguf-bytes.ts';

/** ggml's number of the type. */
const F32 = 0;

/** A file with the header of a projector. The projector cannot be run. */
export function tinyProjector(metadata: Record<string, Field> = {}): Buffer {
  const vision = (key: string, value: number) => [`clip.vision.${key}`, { u32: value }] as const;
  const fields: Record<string, Field> = {
    'general.architecture': { string: 'clip' },
    'clip.has_vision_encoder': { bool: true },
    'clip.projector_type': { string: 'idefics3' },
    ...Object.fromEntries([
      ...[vision('image_size', 64), vision('patch_size', 8), vision('projection_dim', 64)],
      ...[vision('embedding_length', 32), vision('feed_forward_length', 64)],
    ]),
    ...metadata,
  };
  const tensor = { name: 'mm.model.fc.weight', type: F32, shape: [8, 8] };
  return Buffer.from(
    ggufBytes(fields, [{ ...tensor, bytes: f32Bytes(Array<number>(64).fill(0)) }]),
  );
}
