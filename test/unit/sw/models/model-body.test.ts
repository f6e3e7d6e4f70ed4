import { describe, expect, test } from 'vitest';
import { modelBody, quantizationLabel } from '../../../../sw/models/model-body.ts';
import {
  GGUF_MEMORY,
  ggufVariant,
  hubEntry,
  hubVariant,
  packEntry,
} from '../../support/entries.ts';

describe('a quantisation', () => {
  test.each([
    ['q4f16_1', 'int4'],
    ['q4f32_1', 'int4'],
    ['q4f32_s8', 'int4'],
    ['q4bf16_1', 'int4'],
    ['q8f16_1', 'int8'],
    ['q0f16', 'fp16'],
    ['q0f32', 'fp32'],
    ['q0bf16', 'bf16'],
    ['q3f16_1', 'unknown'],
    ['q8', 'int8'],
    ['int8', 'int8'],
    ['fp16', 'fp16'],
    ['fp32', 'fp32'],
    ['F32', 'fp32'],
    ['F16', 'fp16'],
    ['BF16', 'bf16'],
    ['Q4_K_M', 'int4'],
    ['IQ4_XS', 'int4'],
    ['Q8_0', 'int8'],
    ['Q5_K_M', 'unknown'],
    ['Q40', 'unknown'],
    ['q0', 'unknown'],
    ['fp8_e4m3', 'unknown'],
    ['unknown', 'unknown'],
    ['', 'unknown'],
  ])('%s is shown as %s', (name, label) => {
    expect(quantizationLabel(name)).toBe(label);
  });
});

describe('a catalog entry as the API shows it', () => {
  test('names the hub’s repository, or the model itself if it comes with the site', () => {
    expect(modelBody(hubEntry('org/model'), {}).hugging_face_id).toBe('org/model');
    expect(modelBody(packEntry('slashv1/tiny'), {}).hugging_face_id).toBe('slashv1/tiny');
  });

  test('lists what every chat model can do, and what is known about this one', () => {
    const common = ['tools', 'json_mode', 'structured_outputs', 'logprobs'];
    expect(modelBody(hubEntry('org/model'), {}).supported_features).toEqual(common);
    expect(
      modelBody(hubEntry('org/model', { features: ['reasoning'] }), {}).supported_features,
    ).toEqual([...common, 'reasoning']);
  });

  test('does not show the location of its files', () => {
    const shown = JSON.stringify(modelBody(packEntry('slashv1/tiny'), {}));
    expect(shown).not.toContain('http://');
    expect(shown).not.toContain('wasm');
  });

  test('is that of the variant that this device uses, with the context that fits', () => {
    const variants = [hubVariant('org/gpu'), ggufVariant('org/cpu', { memory: GGUF_MEMORY })];
    const entry = { ...hubEntry('org/model'), variants };
    expect(modelBody(entry, { gpu: 'hardware', memoryBudget: 1124e3 })).toMatchObject({
      hugging_face_id: 'org/gpu',
      context_length: 4096,
      max_output_length: 4096,
    });
    expect(modelBody(entry, { gpu: 'none', memoryBudget: 1124e3 })).toMatchObject({
      hugging_face_id: 'org/cpu',
      context_length: 1024,
      max_output_length: 1024,
    });
  });
});
