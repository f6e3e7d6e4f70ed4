import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { manifestSchema } from '../../../src/core/catalog/pack-manifest.ts';
import { JinjaTemplate } from '../../../src/engine/conversation/jinja/template.ts';
import { variantFiles } from '../../../src/node/pack/writing/manifest.ts';
import { tongueCases, tongueFolder, tonguePack, TONGUES } from '../support/models/tongue-models.ts';

const Share = v.object({ exact: v.number(), of: v.number() });
const Report = v.object({ calls: Share, thoughts: v.optional(Share), all: Share });

const LIMITS = { steps: 100_000, characters: 100_000 };

describe.each(TONGUES)('tiny-chat in %s', (tongue) => {
  const report = v.parse(
    Report,
    JSON.parse(readFileSync(join(tongueFolder(tongue), 'report.json'), 'utf8')),
  );

  test('thinks, calls and answers rightly in at least nine of ten held-out prompts with tools', () => {
    for (const share of Object.values(report).filter((each) => each !== undefined)) {
      expect(share.of).toBeGreaterThanOrEqual(50);
      expect(share.exact / share.of).toBeGreaterThanOrEqual(0.9);
    }
    const { exact, of } = report.calls;
    expect(exact / of).toBeGreaterThanOrEqual(0.95);
  });

  test('has the committed pack that its manifest describes, of less than 4 MB without the kernels', () => {
    const pack = tonguePack(tongue);
    const json: unknown = JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8'));
    const { variants } = v.parse(manifestSchema, json);
    expect(variants.map(({ engine }) => engine)).toEqual(['webllm', 'llamacpp']);
    let size = 0;
    for (const { files, revision } of variants) {
      const paths = files.map(({ path }) => path);
      expect(variantFiles(pack, paths)).toEqual({ revision, files });
      for (const file of files) size += file.path === 'model.wasm' ? 0 : file.size;
    }
    expect(size).toBeLessThan(4e6);
  });

  test('reads the prompts on which it was trained', () => {
    const source = readFileSync(join(tongueFolder(tongue), 'template.jinja'), 'utf8').trimEnd();
    const template = new JinjaTemplate(source);
    for (const { messages, tools, variables, prompt } of tongueCases(tongue)) {
      const given = { messages: messages.map(withObjects), tools, ...variables };
      expect(template.render({ ...given, add_generation_prompt: true }, LIMITS)).toBe(prompt);
    }
  });
});

/** Arguments are objects for templates. */
function withObjects(message: Record<string, unknown>): Record<string, unknown> {
  const calls = message['tool_calls'] as { function: { arguments: string } }[] | undefined;
  if (!calls) return message;
  const parsed = calls.map((call) => ({
    function: { ...call.function, arguments: JSON.parse(call.function.arguments) as unknown },
  }));
  return { ...message, tool_calls: parsed };
}
