/// <reference lib="webworker" />
/** Writes and reads a database as an engine does at its start, again and again; it posts a message when it begins. */
import { CatalogStore } from '../../../src/core/catalog/catalog-store.ts';
import { databaseOpener } from '../../../src/core/database/database.ts';
import { DeviceStore } from '../../../src/core/database/device-store.ts';
import { tidyWeights } from '../../../src/engine/download/installer/tidy-weights.ts';
import { hubEntry } from '../../unit/support/entries.ts';

/** The length of the hub's list. */
const MODELS = 150;

const open = databaseOpener('/worked-on/');
const catalog = new CatalogStore(open);
const device = new DeviceStore(open);
// Whoever waits for it finds the stores.
await open();
postMessage('begun');
for (let time = 0; ; time++) {
  const entries = Array.from({ length: MODELS }, (_, index) => ({
    ...hubEntry(`model-${index}`),
    created: time,
  }));
  await Promise.all([
    catalog.replace('hub', entries),
    catalog.list(),
    device.loads(),
    tidyWeights(open),
    catalog.touch('model-0'),
  ]);
}
