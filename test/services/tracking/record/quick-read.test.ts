/** Events that are read without zod: each is read as its schema reads it, and what any bound refuses is left to the schema. */
import { expect } from 'chai';
import fc from 'fast-check';
import { typedEventReader } from '../../../../services/tracking/legacy/read-typed-event.ts';
import { DOUBTFUL_NAMES } from '../../../../services/tracking/record/website-names.ts';
import {
  namedEventSchema,
  readQuickly,
  wireEventSchema,
} from '../../../../services/tracking/record/wire-event.ts';
import { FIELDS, shown, x } from '../event-bounds.ts';

const SCHEMAS = [
  wireEventSchema,
  ...(['screen_view', 'error', 'web_vitals'] as const).map((name) => namedEventSchema(name)),
];
const NAMES = Object.keys(wireEventSchema.shape);
const BOUNDS: typeof FIELDS = {
  ...FIELDS,
  websiteId: { accepted: ['web_1', ' a', x(128)], refused: ['', ' ', 'a\0', '\ud800', x(129), 7, {}] },
};

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', ' ', '\0', '\ud800', '\u{1F600}', 'é'), maxLength: 300 }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(
    null,
    undefined,
    true,
    'auto',
    'link_click',
    '1920x1080',
    '2026-02-30',
    '2026-07-15T12:00Z',
  ),
  fc.object({ maxDepth: 3 }),
  fc.array(fc.integer()),
);
/** A value at a bound of the field, under it or beyond it, or anything. */
const anyOf = (name: string) => {
  const { accepted, refused } = BOUNDS[name] ?? { accepted: ['web_1'], refused: [7] };
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...accepted) },
    { weight: 1, arbitrary: fc.constantFrom(...refused) },
    { weight: 1, arbitrary: anything },
  );
};
const events = fc.record(
  Object.fromEntries([...NAMES, ...DOUBTFUL_NAMES, 'unknown'].map((name) => [name, anyOf(name)])),
  { requiredKeys: [] },
);
/** A few fields of an event, with those that some schema requires. */
const few = events.chain((event) =>
  fc.subarray(Object.entries(event), { maxLength: 4 }).map((entries) => ({
    name: 'seen',
    message: 'broken',
    metricName: 'LCP',
    metricValue: 1,
    ...Object.fromEntries(entries),
  })),
);

describe('events that are read without zod', () => {
  it('are what their schema makes of them', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.constantFrom(...SCHEMAS), few, (schema, event) => {
        const quick = readQuickly(schema, event);
        if (quick === null) return;
        read++;
        expect(schema.safeParse(event).data).to.deep.equal(quick);
      }),
      { numRuns: 3_000 },
    );
    expect(read).to.be.above(300);
  });

  for (const name of NAMES.filter((name) => !DOUBTFUL_NAMES.includes(name))) {
    it(`have any ${name} within its bounds, and none beyond`, () => {
      const quick = (value: unknown) => readQuickly(wireEventSchema, { name: 'seen', [name]: value });
      const { accepted, refused } = BOUNDS[name] ?? expect.fail(`no bounds of ${name}`);
      const schema = wireEventSchema;
      for (const value of accepted) {
        const made = value === undefined ? null : schema.parse({ name: 'seen', [name]: value });
        expect(quick(value), shown(value)).to.deep.equal(made);
      }
      const beyond = refused.filter((value) => !schema.safeParse({ name: 'seen', [name]: value }).success);
      for (const value of beyond) expect(quick(value), shown(value)).to.equal(null);
    });
  }

  it('do not name their website in a way that has to be looked at', () => {
    for (const name of DOUBTFUL_NAMES) {
      expect(readQuickly(wireEventSchema, { name: 'seen', [name]: 'web_1' }), name).to.equal(null);
    }
  });

  it('have the fields that their name requires', () => {
    const quick = (type: string, event: object) => readQuickly(typedEventReader.schemaOf({ type }), event);
    expect(quick('error', { path: '/' })).to.equal(null);
    expect(quick('error', { message: null })).to.equal(null);
    expect(quick('error', { message: 'x', name: 'y' })).to.deep.equal({ message: 'x', name: 'error' });
    expect(quick('track', { message: 'x' })).to.equal(null);
    expect(quick('unknown', { name: 'x' })).to.equal(null);
  });
});
