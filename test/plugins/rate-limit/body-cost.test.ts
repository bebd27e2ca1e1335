/** What a body costs: as many datasets or events as it holds, at least one, and one for what the service will refuse. */
import { expect } from 'chai';
import { type CountedList, readBodyCost } from '../../../plugins/rate-limit/body-cost.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestRuntime, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const clock = createTestClock();
const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);

/** Where the lists of a query and of an ingest call stand. */
const LISTS = { datasets: ['parameters'], events: [] } as const;
type Kind = keyof typeof LISTS;

function readList(body: Buffer | null, list: CountedList, refusal: ApiError | null = null) {
  const { context } = testRequest(runtime, testEndpoint({ cost: 'body' }));
  context.body = body;
  context.refusal = refusal;
  const found = readBodyCost(context, list);
  return typeof found === 'number' ? { cost: found, refusal } : { cost: 1, refusal: found };
}
const read = (body: Buffer | null, kind: Kind | null, refusal: ApiError | null = null) =>
  readList(body, kind === null ? null : LISTS[kind], refusal);
const costOf = (value: unknown, kind: Kind) => read(Buffer.from(JSON.stringify(value)), kind).cost;

describe('the cost of a body', () => {
  const cases: [text: string, value: unknown, datasets: number, events: number][] = [
    ['one dataset name', { parameters: ['pages'] }, 1, 1],
    ['three names, as text or object', { parameters: ['pages', { name: 'traffic' }, 'pages'] }, 3, 1],
    ['a batch of request objects', [{ parameters: ['a', 'b'] }, { parameters: ['c'] }], 3, 2],
    ['a batch of one', [{ parameters: ['a'] }], 1, 1],
    ['an event', { name: 'signup' }, 1, 1],
    ['three events', [{ name: 'a' }, { name: 'b' }, {}], 1, 3],
    ['nothing in a list', [], 1, 1],
    ['no names in a list', { parameters: [] }, 1, 1],
    ['names that are no list', { parameters: 'pages' }, 1, 1],
    ['one misshapen request object among others', [{ parameters: ['a', 'b'] }, 7], 1, 2],
    ['no object at all', 'text', 1, 1],
    ['null', null, 1, 1],
  ];
  for (const [text, value, datasets, events] of cases) {
    it(`of ${text} is ${datasets} in datasets and ${events} in events`, () => {
      expect([costOf(value, 'datasets'), costOf(value, 'events')]).to.deep.equal([datasets, events]);
    });
  }

  it('is 1 where nothing is counted by the body, and bad JSON is refused all the same', () => {
    expect(read(Buffer.from('[1,2,3]'), null)).to.deep.equal({ cost: 1, refusal: null });
    for (const kind of [null, 'datasets', 'events'] as const) {
      const { cost, refusal } = read(Buffer.from('[1,2'), kind);
      expect(cost).to.equal(1);
      expect(refusal?.kind).to.equal('VALIDATION_ERROR');
    }
  });

  it('leaves what it parsed for a service of the process', () => {
    const { context } = testRequest(runtime, testEndpoint({ cost: 'body' }));
    context.body = Buffer.from('[{"name":"a"}]');
    readBodyCost(context, []);
    expect(context.parsedBody?.takeFor(context.body)).to.deep.equal({ value: [{ name: 'a' }] });
  });

  it('is 1 without a body, for an empty one, and for one that was refused before, which is not parsed', () => {
    expect(read(null, 'events')).to.deep.equal({ cost: 1, refusal: null });
    expect(read(Buffer.alloc(0), 'events')).to.deep.equal({ cost: 1, refusal: null });
    const refusal = new ApiError('INSUFFICIENT_SCOPE');
    expect(read(Buffer.from('[1,2'), 'events', refusal)).to.deep.equal({ cost: 1, refusal });
  });

  it('counts a list that lies deeper, of one object or of each in a batch', () => {
    const cost = (value: unknown) => readList(Buffer.from(JSON.stringify(value)), ['data', 'items']).cost;
    const holding = (...items: number[]) => ({ data: { items } });
    expect(cost(holding(1, 2, 3))).to.equal(3);
    expect(cost([holding(1, 2), holding(3)])).to.equal(3);
    for (const strange of [{ data: [1, 2] }, { data: null }, { items: [1, 2] }, [holding(1, 2), {}], 'text'])
      expect(cost(strange), JSON.stringify(strange)).to.equal(1);
  });

  it('sees only names that the body has itself', () => {
    const cost = (name: string) => readList(Buffer.from('{"__proto__":[1,2]}'), [name]).cost;
    expect([cost('__proto__'), cost('constructor'), cost('toString')]).to.deep.equal([2, 1, 1]);
  });

  it('sees past a byte order mark', () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('[1,2]')]);
    expect(read(marked, 'events')).to.deep.equal({ cost: 2, refusal: null });
  });
});
