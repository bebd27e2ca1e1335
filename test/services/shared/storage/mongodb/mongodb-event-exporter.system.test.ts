/** Copies of events out of MongoDB: the port's contract, and the folder that several processes share. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TooManyBytes } from '../../../../../services/shared/ports/event-export.ts';
import { EXPORT_SELECTION, eventExporterContract } from '../../../../contract/event-exporter.contract.ts';
import { mongodbEvents, type TestEvents } from '../../../../support/mongodb/mongodb-events.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { eventRecord } from '../../../../support/query/event.ts';
import { rejection } from '../../../../support/rejection.ts';

const signal = new AbortController().signal;

describe('the exporter on MongoDB', () => {
  const server = useMongodb();

  eventExporterContract('MongodbEventStore', async () => {
    const events = mongodbEvents(server.newUri());
    return {
      store: await events.open(),
      exports: () => filesIn(events.directory.file('exports')),
      close: () => events.remove(),
    };
  });

  describe('and its folder', () => {
    let events: TestEvents;
    beforeEach(() => {
      events = mongodbEvents(server.newUri());
    });
    afterEach(() => events.remove());

    it('puts a copy of many parts together, and refuses it when it is too large, with nothing left', async () => {
      const store = await events.open();
      const count = 9_000;
      await store.append(
        Array.from({ length: count }, (_, i) => eventRecord({ at: '2025-01-01T00:00:00Z', path: `/${i}` })),
      );
      const copy = await store.exporter.exportEvents({ ...EXPORT_SELECTION, maxRows: count }, signal);
      expect(copy.rows).to.equal(count);
      expect(statSync(copy.file).size).to.be.greaterThan(10_000);
      await copy.discard();
      const selection = { ...EXPORT_SELECTION, maxRows: count, maxBytes: 10_000 };
      expect(await rejection(store.exporter.exportEvents(selection, signal))).to.be.instanceOf(TooManyBytes);
      expect(filesIn(events.directory.file('exports'))).to.deep.equal([]);
    });

    it('belongs to one store: another that opens or closes leaves its copies', async () => {
      const store = await events.open();
      const copy = await store.exporter.exportEvents(EXPORT_SELECTION, signal);
      const other = await events.openAnother();
      await (await other.exporter.exportEvents(EXPORT_SELECTION, signal)).discard();
      await other.close();
      expect(existsSync(copy.file)).to.equal(true);
      await store.close();
      expect(existsSync(copy.file)).to.equal(false);
    });

    it('loses what a process that runs no more left, when a store is opened', async () => {
      const folder = events.directory.file('exports');
      const { pid } = spawnSync(process.execPath, ['--version']);
      const left = join(folder, `${pid}-00000000-0000-4000-8000-000000000000`);
      const foreign = join(folder, 'something else');
      for (const path of [left, foreign]) mkdirSync(path, { recursive: true });
      await events.open();
      expect(readdirSync(folder)).to.deep.equal(['something else']);
    });
  });
});

/** Files below a folder; none when it is not there. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}
