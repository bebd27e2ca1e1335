/** What `tidegate import` makes of a file that changes between its runs: no line passes for another one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFile } from '../../../gateway/cli/import-file.ts';
import { importStatePath, readImportState } from '../../../gateway/cli/import-state.ts';
import { Refusal } from '../../../gateway/cli/refusal.ts';
import type { ImportLine } from '../../../services/tracking/import/import-batch.ts';

describe('a file of events that is imported', () => {
  let dataDir: string;
  let file: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidegate-import-file-'));
    file = join(dataDir, 'events.ndjson');
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  /** The lines that a run sends; `restart`: as one that forgets the runs before. */
  async function linesSent({ restart = false } = {}): Promise<ImportLine[]> {
    const target = { file, organizationId: 'org_one', websiteId: null };
    const statePath = importStatePath(dataDir, target);
    if (restart) rmSync(statePath, { force: true });
    const sent: ImportLine[] = [];
    await importFile({
      target,
      state: readImportState(statePath, file),
      statePath,
      maxFaults: 0,
      send: async (lines) => {
        sent.push(...lines);
        return { stored: lines.length, badLines: [] };
      },
      onProgress: () => undefined,
      onBadLine: () => undefined,
    });
    return sent;
  }
  const idsSent = async (options?: { restart: boolean }) =>
    (await linesSent(options)).map(({ eventId }) => eventId);

  async function expectRefusal(): Promise<void> {
    const refused = await linesSent().catch((fault: unknown) => fault);
    expect(refused).to.be.instanceOf(Refusal);
    expect(String(refused)).to.include('is not the file whose import began');
  }

  it('gives the same lines the same identifiers, and the lines of another file of that name others', async () => {
    writeFileSync(file, '{"name":"a"}\n{"name":"a"}\n');
    const first = await idsSent();
    expect(new Set(first).size).to.equal(2);
    expect(await idsSent({ restart: true })).to.deep.equal(first);
    writeFileSync(file, '{"name":"b"}\n{"name":"a"}\n');
    const [other, same] = await idsSent({ restart: true });
    expect(first).not.to.include(other);
    expect(first[1]).to.equal(same);
  });

  it('is refused when anything but its end has changed, wherever that is', async () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => JSON.stringify({ name: 'a', path: `/${i}` }));
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(await linesSent()).to.have.length(9_000);
    lines[5_000] = JSON.stringify({ name: 'a', path: '/5000?longer' });
    writeFileSync(file, `${lines.join('\n')}\n{"name":"new"}\n`);
    await expectRefusal();
    writeFileSync(file, '{"name":"another"}\n');
    await expectRefusal();
  });
});
