/** Arguments of parameters: what a dataset declares is required, checked, told and part of what makes two datasets the same. */
import { expect } from 'chai';
import { z } from 'zod';
import { DATASETS, DATASETS_BY_NAME } from '../../../../services/query/datasets/index.ts';
import { PARAMETER_FIELDS, readArguments } from '../../../../services/query/stages/dataset-arguments.ts';
import { createFaults } from '../../../../services/query/stages/faults.ts';
import type { ApiError } from '../../../../services/shared/errors/api-error.ts';
import type { EventStore } from '../../../../services/shared/ports/event-store.ts';
import { valuesOf } from '../../../support/query/compiled.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import { GOLDEN_SHOP_LOG } from '../../../support/query/golden-shop-log.ts';
import {
  datasetsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';
import { withRun } from '../../../support/query/with-run.ts';

const JANUARY = { startDate: '2025-01-15', endDate: '2025-01-16' };
const ANNA = { name: 'visitor_sessions', visitorId: 'anna' };

describe('arguments of parameters', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_SHOP_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const faultsOf = async (...parameters: unknown[]) =>
    expectError(await service.query({ parameters, ...JANUARY }), 400, 'VALIDATION_ERROR');

  it('refuse a missing argument at its place, also where only the name came', async () => {
    const message = 'Required: a text of 1 to 256 characters.';
    expect(await faultsOf('pages', 'visitor_sessions', { name: 'visitor_sessions' })).to.deep.equal([
      { field: 'parameters[1].visitorId', message },
      { field: 'parameters[2].visitorId', message },
    ]);
  });

  it('refuse an unknown one with the nearest name, or all names', async () => {
    const [near, missing] = await faultsOf({ name: 'visitor_sessions', visitorID: 'anna' });
    expect([missing, near].map((detail) => detail?.field)).to.have.members([
      'parameters[0].visitorID',
      'parameters[0].visitorId',
    ]);
    const details = await faultsOf({ ...ANNA, granularty: 'daily', zzz: 1 });
    expect(details).to.deep.equal([
      {
        field: 'parameters[0].granularty',
        message: 'Unknown field; did you mean "granularity"?',
        suggestion: 'granularity',
      },
      {
        field: 'parameters[0].zzz',
        message: 'Unknown field; allowed: visitorId, name, id, startDate, endDate, granularity.',
      },
    ]);
  });

  it('refuse any on a dataset that takes none, known or not', async () => {
    const allowed = 'Unknown field; allowed: name, id, startDate, endDate, granularity.';
    expect(
      await faultsOf({ name: 'pages', visitorId: 'anna' }, { name: 'pagse', visitorId: 1 }),
    ).to.deep.equal([
      { field: 'parameters[0].visitorId', message: allowed },
      { field: 'parameters[1].visitorId', message: allowed },
    ]);
    expect(await faultsOf({ name: 'pages', __proto__x: 1, constructor: 1 })).to.have.length(2);
  });

  it('refuse values that no event can have, in a batch at their place', async () => {
    const values = [null, 1, '', 'x'.repeat(257), ['anna'], { $ne: '' }, 'a\0', '\ud800'];
    for (const visitorId of values) {
      const body = [
        { parameters: ['pages'], ...JANUARY },
        { parameters: [{ ...ANNA, visitorId }], ...JANUARY },
      ];
      const [detail, ...others] = expectError(await service.query(body), 400, 'VALIDATION_ERROR');
      expect(others, JSON.stringify(visitorId)).to.deep.equal([]);
      expect(detail?.field).to.equal('[1].parameters[0].visitorId');
    }
  });

  it('name the nearest name also in objects of an argument', () => {
    const faults = createFaults();
    const step = z.strictObject({ event: z.string().optional(), path: z.string().optional() });
    const schema = z.object({ steps: z.array(step).min(2).describe('Steps.') });
    const [dataset] = DATASETS;
    readArguments(
      {
        fields: { name: 'x', steps: [{ event: 'a' }, { evnet: 'b' }] },
        place: 'parameters[0]',
        dataset: dataset && { ...dataset, arguments: schema },
      },
      faults,
    );
    try {
      faults.throwIfAny();
      expect.fail('no fault');
    } catch (fault) {
      expect((fault as ApiError).details).to.deep.equal([
        {
          field: 'parameters[0].steps[1].evnet',
          message: 'Unknown field; did you mean "event"?',
          suggestion: 'event',
        },
      ]);
    }
  });

  it('are part of what makes two datasets of a call the same: each is run once', async () => {
    let runs = 0;
    const counted = await startQueryService({
      log: GOLDEN_SHOP_LOG,
      now: GOLDEN_NOW,
      wrapEvents: (events: EventStore) =>
        withRun(events, (query, read) => {
          runs += 1;
          return events.run(query, read);
        }),
    });
    try {
      const ben = { ...ANNA, visitorId: 'ben' };
      const parameters = [ANNA, { ...ANNA, id: 'again' }, ben, 'sessions', ben];
      const answer = await counted.query({ parameters, ...JANUARY });
      expect(datasetsOf(answer).map(({ parameter, data }) => [parameter, data.length])).to.deep.equal([
        ['visitor_sessions', 2],
        ['again', 2],
        ['visitor_sessions', 1],
        ['sessions', 3],
        ['visitor_sessions', 1],
      ]);
      expect(runs).to.equal(3);
    } finally {
      await counted.close();
    }
  });

  it('are values of the compiled query, never part of its text', async () => {
    const visitorId = "x'; DROP TABLE events; --";
    const answer = await service.call('/v1/query/compile?website_id=web_a', {
      method: 'POST',
      body: { type: { ...ANNA, visitorId }, ...JANUARY },
    });
    expect(answer.status).to.equal(200);
    expect(valuesOf(answer.body)).to.include(visitorId);
    expect(answer.body.sql).to.not.include('DROP');
    const faulty = await service.call('/v1/query/compile?website_id=web_a', {
      method: 'POST',
      body: { type: 'visitor_sessions', ...JANUARY },
    });
    expect(expectError(faulty, 400, 'VALIDATION_ERROR').map(({ field }) => field)).to.deep.equal([
      'type.visitorId',
    ]);
  });

  it('are listed by GET /v1/query/types, by nothing where there are none', async () => {
    const { body } = await service.call('/v1/query/types', { as: 'public' });
    const configs = body.configs as Record<string, { arguments?: unknown }>;
    expect(configs.visitor_sessions?.arguments).to.deep.equal([
      {
        name: 'visitorId',
        required: true,
        description: 'The visitor, as anonymousId of its events.',
        schema: { type: 'string', minLength: 1, maxLength: 256 },
      },
    ]);
    for (const [name, config] of Object.entries(configs)) {
      expect('arguments' in config, name).to.equal(DATASETS_BY_NAME.get(name)?.arguments !== undefined);
    }
  });

  it('have a description, and are not called like a field of every parameter', () => {
    for (const dataset of DATASETS) {
      for (const [name, schema] of Object.entries(dataset.arguments?.shape ?? {})) {
        expect((schema as z.ZodType).description, name).to.be.a('string').and.not.empty;
        expect(PARAMETER_FIELDS).to.not.include(name);
      }
      const needed = dataset.onlyWhere?.argument;
      if (needed !== undefined) expect(dataset.arguments?.shape).to.have.property(needed);
    }
  });
});
