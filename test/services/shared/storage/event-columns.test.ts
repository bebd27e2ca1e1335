/** What an event store accepts as an event, and the lists of columns that the engine reads: both for events in any order of their properties. */
import { expect } from 'chai';
import { toColumnLists } from '../../../../services/shared/storage/duckdb/event-table.ts';
import { EVENT_COLUMNS, sizeOf } from '../../../../services/shared/storage/event-columns.ts';
import { eventRecord } from '../../../support/event-record.ts';

/** The same event with its properties in another order. */
const reversed = (event: object) => Object.fromEntries(Object.entries(event).reverse());
const WRONG = {
  VARCHAR: 7,
  BOOLEAN: 'true',
  DOUBLE: Number.NaN,
  BIGINT: 0.5,
  TIMESTAMP: '2026-07-15',
} as const;

describe('the size of an event', () => {
  it('counts texts and values, whatever their order', () => {
    const event = eventRecord({ title: 'four', ttfb: 1.5 });
    const size = sizeOf(event);
    expect(size - sizeOf(eventRecord())).to.equal('four'.length + 2 + 8);
    expect(sizeOf(reversed(event) as typeof event)).to.equal(size);
    expect(sizeOf({ ...event, foreign: null } as typeof event)).to.equal(size);
    expect(sizeOf({ ...event, foreign: 'text' } as typeof event)).to.equal(size);
  });

  for (const { name, type, required } of EVENT_COLUMNS) {
    it(`is that of no event without ${name}, or with a ${name} of a wrong type`, () => {
      const { [name]: _left, ...without } = eventRecord();
      expect(() => sizeOf(without as ReturnType<typeof eventRecord>)).to.throw(
        TypeError,
        `${name} cannot be`,
      );
      const given = (value: unknown) => sizeOf({ ...eventRecord(), [name]: value });
      expect(() => given(undefined)).to.throw(TypeError, `${name} cannot be undefined`);
      expect(() => given(WRONG[type])).to.throw(TypeError, `${name} cannot be ${WRONG[type]} of type`);
      if (required) expect(() => given(null)).to.throw(TypeError, `${name} cannot be null`);
      else expect(() => given(null)).not.to.throw();
    });
  }
});

describe('the lists of the columns of events', () => {
  it('have one value per event, and none for columns that every event leaves out', () => {
    const events = [
      eventRecord({ event_name: 'a', title: 'first' }),
      reversed(eventRecord({ event_name: 'b', city: 'Bern' })) as ReturnType<typeof eventRecord>,
      eventRecord({ event_name: 'c' }),
    ];
    const lists = toColumnLists(events);
    expect(lists.event_name).to.deep.equal(['a', 'b', 'c']);
    expect(lists.title).to.deep.equal(['first', null, null]);
    expect(lists.city).to.deep.equal([null, 'Bern', null]);
    const used = EVENT_COLUMNS.filter(({ name }) => events.some((event) => event[name] !== null));
    expect(Object.keys(lists).sort()).to.deep.equal(used.map(({ name }) => name).sort());
  });

  it('are of the columns alone', () => {
    expect(
      toColumnLists([{ ...eventRecord(), foreign: 1 } as ReturnType<typeof eventRecord>]),
    ).not.to.have.property('foreign');
    expect(toColumnLists([])).to.deep.equal({});
  });
});
