/** Holds `tidegate export` to contract.md section 8, over the stores and over a running server. */
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AT, importedEvent, useImports, WAYS } from '../../support/import-fixture.ts';
import { startCli } from '../../support/run-cli.ts';
import { until } from '../../support/until.ts';

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

for (const way of WAYS) {
  describe(`tidegate export over ${way}`, () => {
    const fixture = useImports(way);
    const { run, tidegate, stored, write } = fixture;
    const target = () => join(fixture.dataDir, 'exported.ndjson');

    it('writes every event of the range once, by time, into a file of its owner, and nothing beside it', async () => {
      const at = (i: number) => new Date(Date.parse(AT) + i * 60_000).toISOString();
      write([
        ...Array.from({ length: 250 }, (_, i) => ({ ...importedEvent(i), timestamp: at(250 - i) })),
        { ...importedEvent(900), timestamp: '2025-06-14T23:59:59.999Z' },
        { ...importedEvent(901), timestamp: '2025-06-16T00:00:00Z' },
      ]);
      expect((await run('--website', 'web_one')).code).to.equal(0);
      write([importedEvent(950)]);
      expect((await run('--organization', 'org_one', '--restart')).code).to.equal(0);
      const day = ['--from', '2025-06-15', '--to', '2025-06-15'];
      const { code, out } = await tidegate(
        'export',
        '--website',
        'web_one',
        ...day,
        '--out',
        target(),
        '--json',
      );
      expect(code).to.equal(0);
      const text = readFileSync(target(), 'utf8');
      expect(linesOf(text).map(({ event_id, timestamp }) => [event_id, timestamp])).to.deep.equal(
        Array.from({ length: 250 }, (_, i) => [`e${249 - i}`, at(i + 1)]),
      );
      expect(linesOf(text)[0]).to.deep.equal({
        organization_id: 'org_one',
        timestamp: '2025-06-15T00:01:00.000Z',
        is_bot: false,
        event_name: 'signup',
        website_id: 'web_one',
        anonymous_id: 'v249',
        event_id: 'e249',
        referrer_group: 'direct',
      });
      expect(JSON.parse(out).data).to.deep.equal({
        file: join(fixture.dataDir, 'exported.ndjson'),
        ...{ organizationId: 'org_one', websiteId: 'web_one', from: '2025-06-15', to: '2025-06-15' },
        ...{ bytes: Buffer.byteLength(text), events: 250 },
      });
      expect(statSync(target()).mode & 0o777).to.equal(0o600);
      const beside = readdirSync(fixture.dataDir).filter((name) => name.includes('unfinished'));
      expect(beside).to.deep.equal([]);

      const whole = await tidegate('export', '--organization', 'org_one');
      expect(whole.code).to.equal(0);
      expect(linesOf(whole.out)).to.have.length(253);
      expect(whole.error).to.equal('253 events.\n');
      expect((await tidegate('export', '--organization', 'org_two')).out).to.equal('');
    });

    // What follows is the same over both, and each case starts many processes.
    if (way === 'the stores') return;

    it('gives lines that tidegate import takes back, without the columns that it works out itself', async () => {
      const visit = {
        ...{ name: 'screen_view', path: '/a', referrer: 'https://news.example/x', title: 'A', country: 'DE' },
        ...{
          browser_name: 'Firefox',
          os_name: 'Linux',
          device_type: 'mobile',
          utm_source: 'news',
          load_time: 12.5,
        },
        ...{
          anonymousId: 'v',
          sessionId: 's',
          profileId: 'p',
          eventId: 'mine',
          timestamp: AT,
          language: 'de',
        },
      };
      write([
        { ...visit, path: 'https://web_one.example/a?b=c' },
        { ...visit, eventId: 'crawler', is_bot: true, is_keyless: true },
        { ...importedEvent(1), properties: { plan: 'pro', seats: 3 } },
        { ...importedEvent(2), name: 'web_vitals', metricName: 'LCP', metricValue: 2.5 },
        {
          ...importedEvent(3),
          name: 'error',
          message: 'x',
          errorType: 'TypeError',
          lineno: 3,
          stack: 'at a',
        },
      ]);
      expect((await run('--website', 'web_one')).code).to.equal(0);
      const { out } = await tidegate('export', '--website', 'web_one');
      const sent = linesOf(out);
      write(sent.map(({ website_id: _, ...event }) => event));
      const back = await run('--organization', 'org_two', '--website', 'web_two', '--json');
      expect(JSON.parse(back.out).data, back.error).to.include({ lines: 5, stored: 5, badLines: 0 });
      const again = linesOf((await tidegate('export', '--website', 'web_two')).out);
      const taken = (events: typeof sent) =>
        events
          .map(({ organization_id, website_id, query_string, hostname, ...event }) => event)
          .sort((a, b) => (String(a.event_id) < String(b.event_id) ? -1 : 1));
      expect(taken(again)).to.deep.equal(taken(sent));
      expect(sent.filter((event) => 'hostname' in event)).to.have.length(1);
      expect(again.filter((event) => 'hostname' in event)).to.deep.equal([]);
    });

    it('refuses with 1 what it cannot export, and with 2 what is wrong usage, and leaves no file', async () => {
      write([importedEvent(1)]);
      await run('--website', 'web_one');
      const before = readdirSync(fixture.dataDir).sort();
      const web = ['--website', 'web_one'];
      const refused: [number, string[], string][] = [
        [1, [], 'organization: Required: there are 2 organizations.'],
        [1, ['--organization', 'org_none'], 'There is no organization "org_none".'],
        [1, ['--organization', 'org_two', ...web], 'There is no website "web_one".'],
        [1, [...web, '--from', 'June'], 'from: "June" is no date'],
        [1, [...web, '--from', '2025-02-30'], 'from: "2025-02-30" does not exist.'],
        [1, [...web, '--from', '2025-02-02', '--to', '2025-02-01'], 'from: The start 2025-02-02 lies after'],
        [1, [...web, '--resume'], 'there is no unfinished export'],
        [2, ['--nonsense'], 'unknown option'],
      ];
      for (const [code, args, text] of refused) {
        const answer = await tidegate('export', ...args, '--out', target());
        expect(answer.error).to.include(text);
        expect(answer.code, text).to.equal(code);
      }
      expect((await tidegate('export', ...web, '--resume')).code).to.equal(2);
      expect((await tidegate('export', ...web, '--json')).code).to.equal(2);
      const nowhere = join(fixture.dataDir, 'none', 'exported.ndjson');
      expect((await tidegate('export', ...web, '--out', nowhere)).error).to.include('there is no folder');
      expect(readdirSync(fixture.dataDir).sort()).to.deep.equal(before);
      writeFileSync(target(), 'mine');
      const taken = await tidegate('export', ...web, '--out', target(), '--json');
      expect(taken.code).to.equal(1);
      expect(JSON.parse(taken.error)).to.include({ success: false, code: 'CONFLICT' });
      expect(readFileSync(target(), 'utf8')).to.equal('mine');
    });

    it('goes on after a kill in the middle, here over the stores: no event twice, none missing', async () => {
      const filler = 'x'.repeat(30_000);
      write(Array.from({ length: 700 }, (_, i) => ({ ...importedEvent(i), properties: { filler } })));
      expect((await run('--website', 'web_one')).code).to.equal(0);
      const [draft, cursor] = [`${target()}.unfinished`, `${target()}.unfinished.cursor`];
      fixture.exportsLeft = 1;
      const command = ['export', '--website', 'web_one', '--out', target()];
      const killed = startCli(command, { DATA_DIR: fixture.dataDir, PATH: process.env.PATH ?? '' });
      const ended = once(killed, 'exit');
      const kept = () =>
        existsSync(cursor)
          ? (JSON.parse(readFileSync(cursor, 'utf8')) as { events: number; cursor: unknown })
          : null;
      await until('the first batch', () => (kept()?.cursor ?? null) !== null);
      killed.kill('SIGKILL');
      await ended;
      await fixture.stop();
      expect(existsSync(target())).to.equal(false);
      const first = kept()?.events ?? 0;
      expect(first).to.be.greaterThan(0).and.lessThan(700);
      // What a run wrote behind its last cursor.
      appendFileSync(draft, '{"organization_id":"org_on');

      const anew = await tidegate(...command);
      expect(anew.code).to.equal(1);
      expect(anew.error).to.include('is unfinished: add --resume');
      const other = await tidegate(
        'export',
        '--website',
        'web_one',
        '--from',
        '2025-01-01',
        '--out',
        target(),
        '--resume',
      );
      expect(other.code).to.equal(1);
      expect(other.error).to.include('has --from 1970-01-01');

      const resumed = await tidegate(...command, '--resume');
      expect(resumed.code, resumed.error).to.equal(0);
      expect(resumed.error).to.include(`Resuming after ${first} events.`);
      const ids = linesOf(readFileSync(target(), 'utf8')).map(({ event_id }) => String(event_id));
      expect(ids).to.have.length(700);
      expect(new Set(ids)).to.have.property('size', 700);
      expect([existsSync(draft), existsSync(cursor)]).to.deep.equal([false, false]);
      const rows = await stored('count(*) AS n');
      expect(rows).to.deep.equal([{ n: 700 }]);
    });
  });
}
