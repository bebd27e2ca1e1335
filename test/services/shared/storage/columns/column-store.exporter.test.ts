/** Copies for custom queries from segments and tails: the port's contract, and what a killed process left behind. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventExporterContract } from '../../../../contract/event-exporter.contract.ts';
import { columnEvents, openColumnEvents } from '../../../../support/columns/column-events.ts';

eventExporterContract('ColumnStore', async () => {
  const store = await openColumnEvents();
  return { store, exports: () => readdirSync(store.exports), close: () => store.close() };
});

describe('copies of events from columns', () => {
  it('that a killed process left behind are deleted when its folder is taken', async () => {
    const events = await columnEvents();
    const folder = join(events.cache, '1', 'exports');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'left.parquet'), 'x');
    await events.open();
    expect(readdirSync(folder)).to.deep.equal([]);
    await events.remove();
  });
});
