/**
 * Prints as JSON how long the CPU's part of constrained and limited decoding takes, in milliseconds. The
 * first argument is the folder of the model pack whose vocabulary is used.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bench } from 'tinybench';
import * as v from 'valibot';
import type * as XGrammar from '@mlc-ai/web-xgrammar';
import { schemaGrammar } from '../../src/core/grammar/compile.ts';
import { Sampler, type SamplerOptions } from '../../src/engine/conversation/sampling/sampler.ts';
import { loadXGrammar } from '../../test/support/xgrammar.ts';
import { median } from '../statistics.ts';
import { sampleTimes } from './sample.ts';
import { timed } from './timed.ts';

const xgrammar = loadXGrammar();

const person = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    email: { type: 'string', format: 'email' },
  },
  required: ['name', 'age'],
  additionalProperties: false,
};

const SCHEMAS: Record<string, object> = {
  /** The smallest kind. */
  flag: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  /** A typical one. */
  person,
  /** Nested, with choices and counted lists. */
  order: {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^[A-Z]{2}-\\d{6}$' },
      placed: { type: 'string', format: 'date-time' },
      customer: person,
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 10,
        items: {
          anyOf: [
            { type: 'object', properties: { kind: { const: 'book' }, pages: { type: 'integer' } } },
            {
              type: 'object',
              properties: { kind: { const: 'song' }, seconds: { type: 'number' } },
            },
          ],
        },
      },
      note: { type: ['string', 'null'], maxLength: 100 },
    },
    required: ['id', 'placed', 'customer', 'items'],
  },
};

const tokenizerSchema = v.object({
  model: v.object({ vocab: v.record(v.string(), v.number()) }),
  added_tokens: v.array(v.object({ id: v.number(), content: v.string() })),
});

function vocabularyOf(folder: string): string[] {
  const file: unknown = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
  const { model, added_tokens } = v.parse(tokenizerSchema, file);
  const texts = new Map<number, string>();
  for (const [text, id] of Object.entries(model.vocab)) texts.set(id, text);
  for (const { id, content } of added_tokens) texts.set(id, content);
  return Array.from({ length: Math.max(...texts.keys()) + 1 }, (_, id) => texts.get(id) ?? '');
}

async function newCompiler(vocabulary: string[], keeps = true): Promise<XGrammar.GrammarCompiler> {
  const end = vocabulary.indexOf('<|im_end|>');
  const size = vocabulary.length;
  const { TokenizerInfo } = xgrammar;
  const info = await TokenizerInfo.createTokenizerInfo(vocabulary, 'byte_level', false, size, end);
  return xgrammar.GrammarCompiler.createGrammarCompiler(info, keeps);
}

async function compileTimes(vocabulary: string[], schema: object) {
  const grammar = schemaGrammar(schema);
  const first: number[] = [];
  const again: number[] = [];
  for (let n = 0; n < 5; n++) {
    // Each time a new compiler, because compilers cache.
    const compiler = await newCompiler(vocabulary);
    const compile = async () => (await compiler.compileGrammar(grammar)).dispose();
    first.push(await timed(compile));
    again.push(await timed(compile));
    compiler.dispose();
  }
  const convert = await medianMs(() => schemaGrammar(schema));
  return { convert_ms: convert, compile_ms: median(first), cached_ms: median(again) };
}

/** Median time for the mask of one token, inside a string. */
async function maskMs(vocabulary: string[], name: object): Promise<number> {
  const compiler = await newCompiler(vocabulary);
  const schema = { type: 'object', properties: { name }, required: ['name'] };
  const grammar = await compiler.compileGrammar(schemaGrammar(schema));
  const matcher = await xgrammar.GrammarMatcher.createGrammarMatcher(grammar);
  const times: number[] = [];
  const ids = new Map(vocabulary.map((text, id) => [text, id]));
  for (const character of `{"name": "${'abcdefgh'.repeat(5)}`) {
    const token = ids.get(character === ' ' ? 'Ġ' : character);
    times.push(await timed(() => matcher.getNextTokenBitmask()));
    if (token === undefined || !matcher.acceptToken(token))
      throw new Error(`No token ${character}`);
  }
  return median(times);
}

/** Median time to process the logits of one token. */
function samplerMs(size: number, more: Partial<SamplerOptions['sampling']>, topLogprobs?: number) {
  const given = Float32Array.from({ length: size }, (_, id) => 8 * Math.sin(id * 12.9898));
  const sampler = new Sampler({ sampling: { temperature: 1, ...more }, topLogprobs });
  return medianMs(() => {
    sampler.processLogits(given.slice());
    sampler.processSampledToken(0);
    sampler.takeSampled();
  });
}

async function medianMs(work: () => unknown): Promise<number> {
  const bench = new Bench({ time: 300, warmupTime: 100, throws: true });
  bench.add('work', work);
  const [task] = await bench.run();
  const result = task?.result;
  if (result?.state !== 'completed')
    throw new Error('A part of the grammar section could not be measured.');
  return result.latency.p50;
}

const vocabulary = vocabularyOf(process.argv[2] ?? '');
const schemas: Record<string, unknown> = {};
for (const [name, schema] of Object.entries(SCHEMAS)) {
  schemas[name] = await compileTimes(vocabulary, schema);
}
const size = vocabulary.length;
const end = vocabulary.indexOf('<|im_end|>');
const report = {
  schemas,
  sample: await sampleTimes(xgrammar, await newCompiler(vocabulary, false), end),
  mask_ms: {
    string: await maskMs(vocabulary, { type: 'string' }),
    string_of_max_length: await maskMs(vocabulary, { type: 'string', maxLength: 300 }),
  },
  sampler_ms: {
    top_k_40: await samplerMs(size, { topK: 40 }),
    min_p: await samplerMs(size, { minP: 0.05 }),
    logprobs_20: await samplerMs(size, {}, 20),
    all: await samplerMs(size, { topK: 40, minP: 0.05, presencePenalty: 1 }, 20),
  },
};
process.stdout.write(`${JSON.stringify(report)}\n`);
