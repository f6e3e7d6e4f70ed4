import type { DeviceReport } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import type { StorageUse } from '../models/storage/storage.ts';
import type { Check } from './self-test.ts';
import { formatBytes, formatBytesOf, formatNumber } from '../ui/format.ts';
import type { Fact } from './fact.ts';
import { engineFacts, threadFacts, type EngineSurroundings } from './engine-facts.ts';

export interface FactGroup {
  title: string;
  facts: Fact[];
  /** Shown folded. */
  folded?: { title: string; facts: Fact[] };
}

/** Facts about the device that the engine's report lacks. */
export interface Surroundings extends EngineSurroundings {
  /** Logical cores of the processor. */
  cores: number;
  userAgent: string;
  /** Undefined: the browser does not say. */
  storage: StorageUse | undefined;
  /** Features and limits of the graphics processor; undefined: there is none. */
  adapter: Fact[] | undefined;
}

/** All facts about the device that a bug report should have. They include no prompts and no keys. */
export function deviceFacts(device: DeviceReport, surroundings: Surroundings): FactGroup[] {
  const { userAgent, cores, storage, models, adapter } = surroundings;
  const { facts: names, gpus, unnamed, yes, no, none } = messages.value.device;
  const loaded = models.filter(({ state }) => state === 'loaded');
  return [
    {
      title: names.graphics,
      facts: [
        { name: names.webgpu, value: gpus[device.gpu] },
        { name: names.name, value: device.gpuName ?? unnamed },
        { name: names.shaders, value: device.shaderF16 ? yes : no },
      ],
      ...(adapter && { folded: { title: names.featuresAndLimits, facts: adapter } }),
    },
    {
      title: names.processor,
      facts: [
        { name: names.cores, value: formatNumber(cores) },
        { name: names.isolated, value: device.isolated ? yes : no },
        ...threadFacts(device),
      ],
    },
    { title: names.engines, facts: engineFacts(device, surroundings) },
    {
      title: names.models,
      facts: [
        { name: names.engine, value: device.engine ?? none },
        { name: names.why, value: device.reason, lang: 'en' },
        { name: names.memory, value: formatBytes(device.memoryBudget) },
        { name: names.loaded, value: loaded.map(({ id }) => id).join(', ') || none },
      ],
    },
    {
      title: names.browser,
      facts: [
        { name: names.userAgent, value: userAgent },
        ...(storage
          ? [
              { name: names.storage, value: formatBytesOf(storage.usage, storage.quota) },
              { name: names.persisted, value: storage.persisted ? yes : no },
            ]
          : []),
      ],
    },
  ];
}

/** The self-test's results; empty if it has not run. */
export function testFacts(checks: readonly Check[]): FactGroup[] {
  if (checks.length === 0) return [];
  const text = messages.value.device.test;
  const facts = checks.map(({ name, outcome, detail }) => ({
    name: text.checks[name],
    value: `${outcome}: ${detail()}`,
  }));
  return [{ title: text.title, facts }];
}

/** The facts as text for a bug report. */
export function reportText(groups: readonly FactGroup[]): string {
  return groups
    .map(({ title, facts, folded }) =>
      [`## ${title}`, ...[...facts, ...(folded?.facts ?? [])].map(line)].join('\n'),
    )
    .join('\n\n');
}

function line({ name, value }: Fact): string {
  return `- ${name}: ${value}`;
}
