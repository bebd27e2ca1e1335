/** The change counter in place of a bus between processes. */
import { expect } from 'chai';
import { pino } from 'pino';
import { watchChanges } from '../../gateway/change-watch.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { record } from '../contract/bus.contract.ts';
import { createMemoryDocumentStore } from '../support/memory-document-store.ts';
import { createTestClock } from '../support/test-clock.ts';

describe('the watch on the change counter', () => {
  let changes: () => Promise<number>;
  const documents: DocumentStore = {
    ...createMemoryDocumentStore(createTestClock()),
    foreignChanges: () => changes(),
  };

  function watch() {
    const bus = new MemoryBus();
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => log.push(line) });
    const { check, close } = watchChanges(documents, bus, logger);
    close();
    return { check, log, heard: record(bus).heard };
  }

  it('says everything once per change and nothing while the counter stands still', async () => {
    const { check, heard } = watch();
    changes = async () => 7;
    await check();
    heard.length = 0;
    await check();
    expect(heard).to.deep.equal([]);
    changes = async () => 8;
    await check();
    await check();
    expect(heard).to.deep.equal([{ kind: 'everything' }]);
  });

  it('says everything each time that the counter cannot be read, and logs it once', async () => {
    const { check, heard, log } = watch();
    changes = async () => Promise.reject(new Error('down'));
    await check();
    await check();
    expect(heard).to.have.length(2);
    expect(log).to.have.length(1);
  });
});
