import type { TemplateMessage } from '../src/core/operations/jobs/jobs.ts';
import { measureChat, rates } from './chat.ts';
import { measureCpuKv } from './cpu-kv.ts';
import { measureCpuLoad } from './cpu-load.ts';
import { measureCpuMemory } from './cpu-memory.ts';
import { measureCpuVisit } from './cpu-visit.ts';
import { counted, measured, type Reading } from './figures.ts';
import type { GgufModel } from './direct/messages.ts';
import { benchModel, WORKLOADS, type BenchModel } from './models.ts';
import { inBrowser, type Launch, type ModelLaunch, type Section } from './section.ts';
import { emulatedSides, llamaCppSides, type Sides } from './sides.ts';

/** The default model's messages in sections that measure prefill too. */
const LONG: TemplateMessage[] = [
  { role: 'system', content: 'You tell stories.' },
  {
    role: 'user',
    content:
      'Tell me a long story about an old lighthouse keeper who lives on a small island with his dog. One ' +
      'evening in November a storm comes, and the lamp goes out. He hears a ship in the dark, and he has only ' +
      'a box of matches, a red blanket and a brass bell. Begin with the weather, and tell me what he sees, what ' +
      'he hears and what he thinks.',
  },
];

/** The default model on the CPU. */
export const CPU_SECTIONS: Section[] = [
  section('smollm2', (launch) => besideWllama(launch, 'cpu.smollm2', 1)),
  section('threads', (launch) => besideWllama(launch, 'cpu.threads', 2)),
  section('api', api),
  section('webllm', besideWebLlm),
  { ...section('kv', conversations), isExact: true },
  section('load', load),
  section('memory', memory),
  section('visit', visit),
];

function section(name: string, measure: Section['measure']): Section {
  return { name: `cpu.${name}`, model: 'smollm2', measure };
}

/** Measures in a browser, with these sides. */
function compare<T>(
  launch: Launch,
  sides: (model: BenchModel, origin: string) => Sides,
  measure: (launch: ModelLaunch) => Promise<T>,
): Promise<T> {
  return inBrowser('smollm2', launch, (each) => {
    return measure({ ...each, sides: sides(each.model, each.origin) });
  });
}

/** llama.cpp on both sides. */
function beside(engine: GgufModel['engine'], threads = 1) {
  return (model: BenchModel, origin: string) => llamaCppSides(model, origin, { engine, threads });
}

function withLongPrompt(launch: ModelLaunch): ModelLaunch {
  const { model } = launch;
  return { ...launch, model: { ...model, messages: LONG, prompt: model.render(LONG) } };
}

function besideWllama(launch: Launch, at: string, threads: number): Promise<Reading[]> {
  return compare(launch, beside('wllama', threads), async (each) =>
    rates(at, 'wllama', await measureChat(withLongPrompt(each))),
  );
}

function besideWebLlm(launch: Launch): Promise<Reading[]> {
  return compare(launch, emulatedSides, async (each) =>
    rates('cpu.webllm', 'webllm', await measureChat(withLongPrompt(each))),
  );
}

/** `/v1` beside our binding alone. */
function api(launch: Launch): Promise<Reading[]> {
  return compare(launch, beside('llamacpp'), async ({ model, ...each }) => {
    const pairs = { ...model.pairs, ttft: 2 * model.pairs.decode };
    const result = await measureChat({ ...each, model: { ...model, pairs } });
    return [
      measured('cpu.api.decode_ratio', result.decodeRatio, `${result.tokens} tokens`),
      measured('cpu.api.v1_tokens_per_s', result.decodeRate.v1),
      measured('cpu.api.binding_tokens_per_s', result.decodeRate.direct),
      measured('cpu.api.ttft_added_ms', result.ttftAddedMs, `${result.promptTokens} tokens`),
      measured('cpu.api.v1_ttft_ms', result.ttftMs.v1),
      measured('cpu.api.binding_ttft_ms', result.ttftMs.direct),
    ];
  });
}

/** Alternating conversations, with as many KV caches as fit into memory. */
function conversations(launch: Launch): Promise<Reading[]> {
  return inBrowser('smollm2', launch, async (each) => {
    const [two, four] = await measureCpuKv(onCpu(each), [2, 4]);
    if (!two || !four) throw new Error('A number of clients was not measured.');
    return [
      counted('cpu.kv.two_ratio', two.ratio, `${two.prefilled} tokens ÷ ${two.fresh} new ones`),
      counted('cpu.kv.four_ratio', four.ratio, `${four.prefilled} tokens ÷ ${four.fresh} new ones`),
    ];
  });
}

function onCpu(launch: ModelLaunch): ModelLaunch {
  return { ...launch, sides: { ...launch.sides, v1: { engines: ['llamacpp'], threads: 1 } } };
}

function load(launch: Launch): Promise<Reading[]> {
  return compare(launch, beside('wllama'), async (each) => {
    const { ratio, loadMs } = await measureCpuLoad(each);
    return [
      measured('cpu.load.ratio', ratio),
      measured('cpu.load.v1_ms', loadMs.v1, 'from IndexedDB'),
      measured('cpu.load.wllama_ms', loadMs.direct, 'from a Blob'),
    ];
  });
}

function memory(launch: Launch): Promise<Reading[]> {
  return inBrowser('smollm2', launch, async (each) => {
    const result = await measureCpuMemory(onCpu(each));
    if (!result) return [];
    const { answering, installing, settled, full, needed } = result;
    const note = 'weights, KV cache and buffers';
    return [
      measured('cpu.memory.ratio', answering / needed, 'the page’s process'),
      measured('cpu.memory.settled_ratio', settled / needed, 'after a garbage collection'),
      measured(
        'cpu.memory.full_ratio',
        full / needed,
        'then, with a prompt that fills the KV cache',
      ),
      measured('cpu.memory.answering_mb', answering / 1e6, 'while it was loaded and answered'),
      measured('cpu.memory.installing_mb', installing / 1e6, 'while it was downloaded'),
      counted('cpu.memory.needed_mb', needed / 1e6, note),
    ];
  });
}

async function visit({ origin, packs }: Launch): Promise<Reading[]> {
  const result = await measureCpuVisit(origin, benchModel(WORKLOADS.smollm2, packs));
  return [
    measured('cpu.visit.ratio', result.ratio, 'gigabit line'),
    measured('cpu.visit.first_token_ms', result.firstTokenMs),
    measured('cpu.visit.loaded_ms', result.loadedMs),
    measured('cpu.visit.download_ms', result.downloadMs, 'the same files alone'),
  ];
}
