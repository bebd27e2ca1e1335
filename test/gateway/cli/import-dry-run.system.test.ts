/** Holds `tidegate import --dry-run` to what the import then does, over the stores and over a running server. */
import { appendFileSync } from 'node:fs';
import { expect } from 'chai';
import { importedEvent, useImports, WAYS } from '../../support/import-fixture.ts';

for (const way of WAYS) {
  describe(`tidegate import --dry-run over ${way}`, () => {
    const fixture = useImports(way);
    const { run, stored, write, imports } = fixture;

    it('judges the whole file, tells stored events, repeats and faults, and stores nothing', async () => {
      const lines = Array.from({ length: 2_300 }, (_, i) => importedEvent(i));
      write([...lines, importedEvent(7), '[]', { name: 'timeless' }]);
      const { code, out, error } = await run('--website', 'web_one', '--dry-run', '--json');
      expect(code).to.equal(0);
      expect(JSON.parse(out).data).to.deep.equal({
        ...{ dryRun: true, lines: 2_303, wouldStore: 2_300, repeats: 1, badLines: 2, imported: 0 },
        ...{ organizationId: 'org_one', websiteId: 'web_one' },
      });
      expect(error).to.include('line 2302: line: Expected an event');
      expect(error).to.include('line 2303: timestamp: Required');
      expect(await stored('count(*) AS n')).to.deep.equal([{ n: 0 }]);
      expect(await imports('org_one')).to.deep.equal([]);
      const real = await run('--website', 'web_one', '--json');
      expect(JSON.parse(real.out).data, 'the import begins at the first line').to.include({ lines: 2_303 });
      expect(await stored('count(*) AS n')).to.deep.equal([{ n: 2_300 }]);
      const after = await run('--website', 'web_one', '--dry-run', '--restart');
      expect(after.out).to.equal(
        'Of 2,303 lines 0 events would be stored, 2,301 repeats and 2 bad lines skipped. Nothing is stored.\n',
      );
    });

    it('tells apart what an earlier run has imported', async () => {
      write([importedEvent(1), importedEvent(2)]);
      await run('--website', 'web_one');
      appendFileSync(
        fixture.file,
        `${JSON.stringify(importedEvent(3))}\n${JSON.stringify(importedEvent(1))}\n`,
      );
      const { out } = await run('--website', 'web_one', '--dry-run', '--json');
      expect(JSON.parse(out).data).to.include({ lines: 4, wouldStore: 1, repeats: 1, imported: 2 });
      expect(await stored('count(*) AS n')).to.deep.equal([{ n: 2 }]);
    });

    it('judges the rest too where the import would stop, and exits with 1', async () => {
      write(['[]', '[]', importedEvent(1)]);
      const { code, out, error } = await run('--website', 'web_one', '--dry-run', '--max-faults', '1');
      expect(code).to.equal(1);
      expect(out).to.include('1 events would be stored, 0 repeats and 2 bad lines skipped');
      expect(error).to.include('the import would stop: 2 bad lines are more than --max-faults 1');
      expect(await stored('count(*) AS n')).to.deep.equal([{ n: 0 }]);
    });
  });
}
