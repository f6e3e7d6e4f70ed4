import type { VNode } from 'preact';
import type { CatalogModel, VariantOffer } from '../../../index.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatBytes } from '../../ui/format.ts';
import { describeMemory, describeObstacles, processorOf } from '../model-text.ts';

interface FactsProps {
  model: CatalogModel;
  /** Bytes. */
  memoryBudget: number;
}

/** The facts that decide whether to download a model, and the ways to run it. */
export function ModelFacts({ model, memoryBudget }: FactsProps): VNode {
  const { id, task, license, contextLength, kvCacheType, bytes, variants } = model;
  const { facts: text, tasks, tokens, cpuReasons } = messages.value.models;
  const reason = model.cpuReason && cpuReasons[model.cpuReason.code];
  const facts = [
    { name: text.id, value: id },
    { name: text.task, value: tasks[task] },
    { name: text.size, value: bytes === undefined ? undefined : formatBytes(bytes) },
    { name: text.memory, value: describeMemory(model, memoryBudget) },
    {
      name: text.context,
      value: contextLength ? fill(tokens, { count: contextLength }) : undefined,
    },
    ...(kvCacheType ? [{ name: text.kvCache, value: kvCacheType }] : []),
    {
      name: text.runsOn,
      value: [processorOf(model), reason].filter((part) => part !== undefined).join(' · '),
    },
    { name: text.licence, value: license },
  ];
  return (
    <dl>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || text.unknown}</dd>
        </div>
      ))}
      {variants.map((offer) => (
        <OfferView
          key={offer.engine + offer.quantization}
          offer={offer}
          isUsed={
            offer.engine === model.variant.engine &&
            offer.quantization === model.variant.quantization
          }
        />
      ))}
    </dl>
  );
}

function OfferView({ offer, isUsed }: { offer: VariantOffer; isUsed: boolean }): VNode {
  const { engine, quantization, bytes, obstacles } = offer;
  const reasons = describeObstacles(obstacles);
  return (
    <div>
      <dt>
        {engine} {quantization}
      </dt>
      <dd>
        {verdict(isUsed, reasons.length > 0)}
        {bytes !== undefined && ` · ${formatBytes(bytes)}`}
        {reasons.map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </dd>
    </div>
  );
}

function verdict(isUsed: boolean, hasObstacles: boolean): string {
  const { used, notUsed, otherUsed } = messages.value.models.facts;
  if (isUsed) return used;
  return hasObstacles ? notUsed : otherUsed;
}
