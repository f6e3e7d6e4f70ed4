import * as v from 'valibot';
import { optionalField, type GgufHeader } from './gguf-header.ts';
import { FILE_TYPES, TENSOR_TYPES } from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';

/**
 * Quantisations in the order in which they are proposed: four bits lose little, and memory and download
 * are small. Files with more bits are larger, so they come later. Files with fewer bits come last.
 */
const PREFERRED = words(`
  Q4_K_M Q4_K_XL Q4_K_L Q4_K_S Q4_K Q4_1 Q4_0 IQ4_NL IQ4_XS MXFP4 MXFP4_MOE NVFP4
  Q5_K_M Q5_K_XL Q5_K_L Q5_K_S Q5_K Q5_1 Q5_0 Q6_K Q6_K_L Q6_K_XL Q8_0 Q8_K_XL
  Q3_K_XL Q3_K_L Q3_K_M Q3_K Q3_K_S IQ3_M IQ3_S IQ3_XS IQ3_XXS
  Q2_K_XL Q2_K_L Q2_K Q2_K_S IQ2_M IQ2_S IQ2_XS IQ2_XXS TQ2_0 TQ1_0 IQ1_M IQ1_S
`);
/** Types without quantisation: as good as Q8_0, but twice as large or more. */
const UNQUANTISED = words('F16 BF16 F32');

/** A quantisation in the name of a file, between marks such as "-" and ".". */
const NAMED = new RegExp(
  `(?<![A-Z0-9])(?:${[...PREFERRED, ...UNQUANTISED].sort((a, b) => b.length - a.length).join('|')})(?![A-Z0-9_])`,
  'gi',
);

/** The quantisation that a file's name states, e.g. `Q4_K_M`; undefined: it states none. */
export function namedQuantization(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.match(NAMED)?.at(-1)?.toUpperCase();
}

/**
 * The place of a quantisation in the order in which they are proposed, from 0.
 *
 * @param quantization - undefined: unknown
 */
export function quantizationRank(quantization: string | undefined): number {
  const rank = PREFERRED.indexOf(quantization ?? '');
  if (rank !== -1) return rank;
  const unquantised = UNQUANTISED.indexOf(quantization ?? '');
  return PREFERRED.length + 1 + unquantised;
}

/**
 * The quantisation of a file: as its header states it, e.g. `Q4_K_M`, else that of most of its tensors,
 * e.g. `Q4_K`.
 */
export function quantizationOf(file: GgufHeader): string {
  const stated = optionalField(file, 'general.file_type', v.number());
  return FILE_TYPES.get(stated ?? -1) ?? commonType(file) ?? 'unknown';
}

function commonType({ tensors }: GgufHeader): string | undefined {
  const bytes = new Map<number, number>();
  for (const tensor of tensors) {
    bytes.set(tensor.type, (bytes.get(tensor.type) ?? 0) + tensorBytes(tensor));
  }
  const [most] = [...bytes].sort(([, a], [, b]) => b - a);
  return most && TENSOR_TYPES.get(most[0])?.name;
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
