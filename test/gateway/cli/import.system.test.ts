/** Holds `tidegate import` to contract.md section 8, over the stores and over a running server. */
import { appendFileSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { AT, importedEvent, useImports, WAYS } from '../../support/import-fixture.ts';

for (const way of WAYS) {
  describe(`tidegate import over ${way}`, () => {
    // Each case starts processes, which a busy machine starts slowly.
    const fixture = useImports(way);
    const { run, stored, write, imports } = fixture;

    it('stores events under every name of their fields, and makes of them what ingest makes', async () => {
      write([
        {
          name: 'screen_view',
          path: 'https://web_one.example/a/?utm_source=news',
          timestamp: 1_750_000_000_000,
          anonymousId: 'v',
          country: 'de',
          browser_name: 'Firefox',
          device_type: 'mobile',
        },
        {
          eventName: 'signup',
          website_id: 'web_one',
          anonymous_id: 'v',
          session_id: 's',
          event_id: 'mine',
          timestamp: '2025-06-15T00:00:00Z',
          properties: { plan: 'pro' },
        },
      ]);
      const { code, out } = await run('--website', 'web_one', '--json');
      expect(code).to.equal(0);
      expect(JSON.parse(out)).to.deep.equal({
        success: true,
        data: { lines: 2, stored: 2, badLines: 0, organizationId: 'org_one', websiteId: 'web_one' },
      });
      expect(
        await stored(
          'event_name, organization_id, website_id, path, hostname, utm_source, country, browser_name, device_type, session_id, properties',
        ),
      ).to.deep.equal([
        {
          event_name: 'screen_view',
          organization_id: 'org_one',
          website_id: 'web_one',
          path: '/a',
          hostname: 'web_one.example',
          utm_source: 'news',
          country: 'DE',
          browser_name: 'Firefox',
          device_type: 'mobile',
          session_id: null,
          properties: null,
        },
        {
          event_name: 'signup',
          organization_id: 'org_one',
          website_id: 'web_one',
          path: null,
          hostname: null,
          utm_source: null,
          country: null,
          browser_name: null,
          device_type: null,
          session_id: 's',
          properties: '{"plan":"pro"}',
        },
      ]);
    });

    it('gives each line without eventId one of its own, the same at every reading', async () => {
      const own = { name: 'a', timestamp: AT };
      write([own, own, { ...importedEvent(1), name: 'a' }]);
      expect((await run('--organization', 'org_one')).code).to.equal(0);
      const first = (await stored('DISTINCT event_id')).map((row) => row.event_id);
      expect(first).to.have.length(3).and.to.include('e1');
      expect((await run('--organization', 'org_one', '--restart')).code).to.equal(0);
      expect((await stored('DISTINCT event_id')).map((row) => row.event_id)).to.deep.equal(first);
    });

    it('leaves bad lines out, tells of each with its number, and counts them', async () => {
      write([
        importedEvent(1),
        '{"name":',
        { name: '' },
        '',
        { ...importedEvent(2), websiteId: 'web_two' },
        '[]',
        importedEvent(3),
      ]);
      const { code, out, error } = await run('--website', 'web_one', '--json');
      expect(code).to.equal(0);
      expect(JSON.parse(out).data).to.include({ lines: 7, stored: 2, badLines: 4 });
      expect(error).to.include('line 2: line: Is not valid JSON.');
      expect(error).to.match(/line 3: name: .*256/);
      expect(error).to.include('line 5: websiteId: The organization "org_one" has no website "web_two".');
      expect(error).to.include('line 6: line: Expected an event');
    });

    it('refuses a line that does not say when its event happened, and names it', async () => {
      const [{ timestamp: _, ...timeless }] = [importedEvent(2)] as const;
      write([importedEvent(1), timeless, { ...timeless, timestamp: null }, importedEvent(3)]);
      const { code, out, error } = await run('--website', 'web_one', '--json');
      expect(code).to.equal(0);
      expect(JSON.parse(out).data).to.include({ lines: 4, stored: 2, badLines: 2 });
      for (const line of [2, 3])
        expect(error).to.include(`line ${line}: timestamp: Required: when the event`);
      expect(await stored('epoch_ms("timestamp") AS at')).to.deep.equal([
        { at: Date.parse(AT) },
        { at: Date.parse(AT) },
      ]);
    });

    it('stops with 1 at one bad line too many, stores nothing beside it, and goes on once it is mended', async () => {
      const lines = Array.from({ length: 2_500 }, (_, i) => JSON.stringify(importedEvent(i)));
      const bad = [...lines];
      bad[2_200] = '{"nonsense":1}';
      write(bad);
      const stopped = await run('--website', 'web_one', '--max-faults', '0');
      expect(stopped.code).to.equal(1);
      expect(stopped.error).to.include('line 2201: name:').and.to.include('2,000 events are stored');
      expect(await stored('count(*) AS n')).to.deep.equal([{ n: 2_000 }]);
      write(lines);
      const mended = await run('--website', 'web_one', '--max-faults', '0', '--json');
      expect(mended.error).to.include('Resuming after line 2,000.');
      expect(JSON.parse(mended.out).data).to.include({ lines: 2_500, stored: 2_500 });
      expect(await stored('count(*) AS n, count(DISTINCT event_id) AS ids')).to.deep.equal([
        { n: 2_500, ids: 2_500 },
      ]);
    });

    it('stores nothing again when it is run again, and only what came when the file grew', async () => {
      write([importedEvent(1), importedEvent(2)]);
      await run('--website', 'web_one');
      const again = await run('--website', 'web_one', '--json');
      expect(again.code).to.equal(0);
      expect(JSON.parse(again.out).data).to.include({ lines: 2, stored: 2 });
      appendFileSync(fixture.file, `${JSON.stringify(importedEvent(3))}\n`);
      await run('--website', 'web_one');
      expect(await stored('event_id')).to.deep.equal([
        { event_id: 'e1' },
        { event_id: 'e2' },
        { event_id: 'e3' },
      ]);
    });

    it('leaves one audit record per run that stored something: who, where to, how many', async () => {
      write([importedEvent(1), 'no event', importedEvent(2)]);
      await run('--website', 'web_one');
      const [record, ...others] = await imports('org_one');
      expect(others).to.deep.equal([]);
      expect(record).to.deep.include({
        organizationId: 'org_one',
        actor: { kind: 'cli', id: 'cli', userId: null },
        targetId: 'web_one',
        fields: ['2 events'],
        address: null,
        requestId: null,
      });
      await run('--website', 'web_one');
      expect(await imports('org_one')).to.have.length(1);
      await run('--organization', 'org_two');
      const elsewhere = (await imports('org_two')).map(({ targetId, fields }) => [targetId, fields]);
      expect(elsewhere).to.deep.equal([['org_two', ['2 events']]]);
      appendFileSync(fixture.file, '{}\n');
      expect((await run('--website', 'web_one', '--max-faults', '1')).code).to.equal(1);
      expect(await imports('org_one')).to.have.length(1);
    });

    if (way !== 'the stores') {
      it('goes on after the last stored batch when the server ends in between', async () => {
        write(Array.from({ length: 4_100 }, (_, i) => importedEvent(i)));
        fixture.batchesLeft = 1;
        const ended = await run('--website', 'web_one');
        expect(ended.code).to.equal(1);
        expect(await stored('count(*) AS n')).to.deep.equal([{ n: 2_000 }]);
        fixture.batchesLeft = undefined;
        expect((await imports('org_one')).map(({ fields }) => fields)).to.deep.equal([['2000 events']]);
        expect((await run('--website', 'web_one')).code).to.equal(0);
        expect(await stored('count(*) AS n, count(DISTINCT event_id) AS ids')).to.deep.equal([
          { n: 4_100, ids: 4_100 },
        ]);
        const counts = (await imports('org_one')).map(({ fields }) => fields[0]);
        expect(counts).to.have.members(['2000 events', '2100 events']);
      });
    }

    it('refuses with 1 what it cannot place, and with 2 what is wrong usage', async () => {
      write([importedEvent(1)]);
      const refused: [string[], string][] = [
        [[], 'organization: Required: there are 2 organizations.'],
        [['--organization', 'org_none'], 'There is no organization "org_none".'],
        [['--website', 'web_none'], 'There is no website "web_none".'],
        [['--organization', 'org_two', '--website', 'web_one'], 'There is no website "web_one".'],
      ];
      for (const [args, text] of refused) {
        const { code, error } = await run(...args);
        expect(code, text).to.equal(1);
        expect(error).to.include(text);
      }
      expect((await run('--max-faults', 'many')).code).to.equal(2);
      expect((await run('--nonsense')).code).to.equal(2);
      rmSync(fixture.file);
      const missing = await run('--website', 'web_one', '--json');
      expect(missing.code).to.equal(1);
      expect(JSON.parse(missing.error)).to.include({ success: false, code: 'NOT_FOUND' });
    });
  });
}
