import { jobFault } from '../../../core/errors/errors.ts';

/** How a family's models were trained to fill a gap: each part follows its mark, in this order. */
const FAMILIES: readonly (readonly [mark: string, part: 'prefix' | 'suffix' | 'gap'])[][] = [
  // Qwen Coder, CodeGemma, Granite 4.
  [
    ['<|fim_prefix|>', 'prefix'],
    ['<|fim_suffix|>', 'suffix'],
    ['<|fim_middle|>', 'gap'],
  ],
  // StarCoder, SmolLM, Granite Code.
  [
    ['<fim_prefix>', 'prefix'],
    ['<fim_suffix>', 'suffix'],
    ['<fim_middle>', 'gap'],
  ],
  // DeepSeek Coder.
  [
    ['<｜fim▁begin｜>', 'prefix'],
    ['<｜fim▁hole｜>', 'suffix'],
    ['<｜fim▁end｜>', 'gap'],
  ],
  // Codestral.
  [
    ['[SUFFIX]', 'suffix'],
    ['[PREFIX]', 'prefix'],
  ],
];

/**
 * The prompt that asks for the text between two texts.
 *
 * @param tokenIds - ids of the tokens that were added to the vocabulary, by text
 * @throws ApiError 400 for a model without tokens for this
 */
export function fillInTheMiddle(
  prefix: string,
  suffix: string,
  tokenIds: ReadonlyMap<string, number>,
): string {
  const parts = { prefix, suffix, gap: '' };
  const family = FAMILIES.find((marks) => marks.every(([mark]) => tokenIds.has(mark)));
  if (family) return family.map(([mark, part]) => mark + parts[part]).join('');
  const text = 'needs a model with fill-in-the-middle tokens.';
  throw jobFault('suffix', text, { code: 'unsupported_value' });
}
