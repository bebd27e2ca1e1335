/** Texts of clients in events, filters and groups: whatever they look like, they are texts as any other. */
import { expect } from 'chai';
import { describeOnEngines } from '../../support/query/engines.ts';
import { type EventFields, eventRecord } from '../../support/query/event.ts';
import { rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };
const AT = '2025-01-15T12:00:00.000Z';

function log(...events: Omit<EventFields, 'at'>[]) {
  return events.map((fields, index) =>
    eventRecord({ at: new Date(Date.parse(AT) + index).toISOString(), ...fields }),
  );
}

/** Texts that look like paths, variables, operators, keys below others, patterns and SQL. */
const TEXTS = [
  '$path',
  '$$ROOT',
  '$$this.k',
  '$literal',
  'a.b',
  '.',
  '',
  '*',
  '\\',
  '^$',
  '{"$gt":""}',
  '(?i)X',
  '[a]',
  "' OR 1=1 --",
  '%',
  '_',
];

describeOnEngines('literal texts of filters', (startOn) => {
  let service: StartedQueryService;
  before(async () => {
    const events = TEXTS.map((text) => ({
      path: `<${text}>`,
      properties: JSON.stringify({ [`k${text}`]: text, [text]: `<${text}>` }),
    }));
    service = await startOn({ log: log(...events), now: 0 });
  });

  const count = async (field: string, op: string, value: unknown) => {
    const filters = [{ field, op, value }];
    const answer = await service.query({ parameters: ['summary_metrics'], ...DAY, filters });
    return rowsOf(answer)[0]?.pageviews;
  };
  for (const text of TEXTS) {
    it(`${JSON.stringify(text)} is a text as any other, of a path and as key and value of a property`, async () => {
      const having = (test: (path: string) => boolean) => TEXTS.filter((other) => test(`<${other}>`)).length;
      const all = TEXTS.length;
      expect(await count('path', 'eq', `<${text}>`)).to.equal(1);
      expect(await count('path', 'ne', `<${text}>`)).to.equal(all - 1);
      expect(await count('path', 'in', [`<${text}>`, text])).to.equal(1);
      expect(await count('path', 'not_in', [`<${text}>`, text])).to.equal(all - 1);
      expect(await count('path', 'starts_with', `<${text}`)).to.equal(
        having((path) => path.startsWith(`<${text}`)),
      );
      expect(await count('path', 'contains', text)).to.equal(having((path) => path.includes(text)));
      expect(await count('path', 'not_contains', text)).to.equal(having((path) => !path.includes(text)));
      expect(await count(`properties.k${text}`, 'eq', text)).to.equal(1);
      if (text === '') return;
      expect(await count(`properties.${text}`, 'starts_with', `<${text}`)).to.equal(1);
      expect(await count(`properties.${text}`, 'not_contains', text)).to.equal(all - 1);
    });
  }
});

describeOnEngines('answers', (startOn) => {
  let service: StartedQueryService;
  const rows = async (request: object) => rowsOf(await service.query({ ...DAY, ...request }));

  it('show, and groups have, texts and property keys that look like paths, variables and patterns as they are', async () => {
    const events = TEXTS.map((text) => ({ path: text, properties: JSON.stringify({ [text]: text }) }));
    service = await startOn({ log: log(...events), now: 0 });
    const expected = TEXTS.map((text) => [text === '' ? 'Unknown' : text, 1]);
    const found = (await rows({ parameters: ['pages'] })).map(({ path, pageviews }) => [path, pageviews]);
    expect(found).to.have.deep.members(expected);
    for (const text of TEXTS.filter((key) => key !== '')) {
      const groupBy = `properties.${text}`;
      const groups = await rows({ parameters: ['pages'], groupBy });
      const own = groups.filter((row) => row[groupBy] === text).map(({ path }) => path);
      expect(own, text).to.deep.equal([text]);
    }
  });

  it('count a value of a quantile as often as a session has it', async () => {
    const events = [1, 1, 1, 9].map((time_on_page) => ({ session_id: 's', time_on_page }));
    service = await startOn({ log: log(...events), now: 0 });
    expect((await rows({ parameters: ['engagement'] }))[0]).to.include({ median_time_on_page: 1 });
  });

  it('order groups of 49 fields', async () => {
    const keys = Array.from({ length: 49 }, (_, index) => `properties.k${index}`);
    const events = ['b', 'a', 'c'].map((k48) => ({ properties: JSON.stringify({ k48 }) }));
    service = await startOn({ log: log(...events), now: 0 });
    const groups = await rows({ parameters: ['pages'], groupBy: keys });
    expect(groups.map((row) => row['properties.k48'])).to.deep.equal(['a', 'b', 'c']);
  });
});
