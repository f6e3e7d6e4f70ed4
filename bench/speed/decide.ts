/**
 * Prints as JSON what `/v1` adds to decisions: processor time of whole requests ÷ of the calls of llama.cpp in them. The
 * argument is the model's GGUF file. All runs in this process, on one thread.
 */
import { readFileSync } from 'node:fs';
import type { LlamaModule } from '../../models/llamacpp/module.ts';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { MODEL } from '../../test/contract/support/api.ts';
import { LlamaCppEngine } from '../../test/contract/support/llamacpp-engine.ts';
import { quickApp } from '../../test/contract/support/quick-app.ts';
import { decidedText, QUESTIONS, WORDS } from '../decided-text.ts';
import { median } from '../statistics.ts';
import { processorMs } from './processor-time.ts';

const ROUNDS = 5;

let inModuleMs = 0;

/** The module; the time in its functions is added up. */
function timed(module: LlamaModule): LlamaModule {
  return new Proxy(module, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown => {
        const before = processorMs();
        try {
          return Reflect.apply(member, target, values);
        } finally {
          inModuleMs += processorMs() - before;
        }
      };
    },
  });
}

const [path = ''] = process.argv.slice(2);
const engine = new LlamaCppEngine(Uint8Array.from(readFileSync(path)), { watched: timed });
const { post } = quickApp(engine);
const random = seededRandom(1);
const ratios: number[] = [];
// The first round loads the model, and is not counted.
for (let round = 0; round <= ROUNDS; round++) {
  const body = { model: MODEL, input: decidedText(random, WORDS), questions: QUESTIONS };
  const before = { all: processorMs(), inModule: inModuleMs };
  const response = await post('/decisions', JSON.stringify(body));
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
  const inModule = inModuleMs - before.inModule;
  if (inModule === 0) throw new Error('No call of llama.cpp was seen.');
  if (round > 0) ratios.push((processorMs() - before.all) / inModule);
}
console.log(JSON.stringify({ ratio: median(ratios) }));
