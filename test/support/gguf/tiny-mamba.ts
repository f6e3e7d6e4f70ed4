import { seededRandom } from '../../../scripts/seeded-random.ts';
import { f32Bytes, type Tensor } from './gguf-bytes.ts';
import { tinyGguf } from './tiny-gguf.ts';

const [WIDTH, INNER, STATE, KERNEL, RANK, LAYERS] = [64, 128, 16, 4, 8, 2];
/** Bytes, the two control tokens, and "he": the vocabulary of `tinyGguf`. */
const VOCABULARY = 259;
const F32 = 0;

/** A GGUF file of a recurrent model with random weights, which llama.cpp runs. Its state cannot be cut. */
export function tinyMamba(): Buffer {
  const random = seededRandom(7);
  const tensor = (name: string, shape: number[], value = () => (random() - 0.5) / 4): Tensor => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { name, type: F32, shape, bytes: f32Bytes(Array.from({ length: count }, value)) };
  };
  const layer = (name: string) => [
    tensor(`${name}.attn_norm.weight`, [WIDTH], () => 1),
    tensor(`${name}.ssm_in.weight`, [2 * INNER, WIDTH]),
    tensor(`${name}.ssm_conv1d.weight`, [INNER, KERNEL]),
    tensor(`${name}.ssm_conv1d.bias`, [INNER]),
    tensor(`${name}.ssm_x.weight`, [RANK + 2 * STATE, INNER]),
    tensor(`${name}.ssm_dt.weight`, [INNER, RANK]),
    tensor(`${name}.ssm_dt.bias`, [INNER]),
    tensor(`${name}.ssm_a`, [INNER, STATE], () => -random()),
    tensor(`${name}.ssm_d`, [INNER]),
    tensor(`${name}.ssm_out.weight`, [WIDTH, INNER]),
  ];
  return tinyGguf({
    metadata: {
      'general.architecture': { string: 'mamba' },
      'mamba.block_count': { u32: LAYERS },
      'mamba.context_length': { u32: 2048 },
      'mamba.embedding_length': { u32: WIDTH },
      'mamba.ssm.conv_kernel': { u32: KERNEL },
      'mamba.ssm.inner_size': { u32: INNER },
      'mamba.ssm.state_size': { u32: STATE },
      'mamba.ssm.time_step_rank': { u32: RANK },
      'mamba.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    },
    tensors: [
      tensor('token_embd.weight', [VOCABULARY, WIDTH]),
      tensor('output_norm.weight', [WIDTH], () => 1),
      tensor('output.weight', [VOCABULARY, WIDTH]),
      ...Array.from({ length: LAYERS }, (_, index) => layer(`blk.${index}`)).flat(),
    ],
  });
}
