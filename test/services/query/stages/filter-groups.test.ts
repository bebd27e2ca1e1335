/** Filters and groups that are refused: each fault names its place, and no list is read further than its bound. */
import { expect } from 'chai';
import { startCpuTime } from '../../../support/cpu-time.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';

const DAYS = { startDate: '2025-03-29', endDate: '2025-03-31' };
const newsletter = { field: 'utm_source', op: 'eq', value: 'newsletter' };

describe('filters and groups that are refused', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const refused: readonly [string, object, string, string][] = [
    [
      'a group four deep',
      { any: [{ all: [{ not: { any: [newsletter] } }] }] },
      'filters[0].any[0].all[0].not',
      'Groups may stand 3 deep, not deeper.',
    ],
    [
      'a fault inside a group',
      { any: [{ op: 'eq', value: 'x' }] },
      'filters[0].any[0].field',
      'Required: the name of a field, such as "path".',
    ],
    [
      'a misspelt name inside a group',
      { not: { ...newsletter, off: 'x' } },
      'filters[0].not.off',
      'Unknown field; did you mean "of"?',
    ],
    [
      'an unknown of',
      { ...newsletter, of: 'page' },
      'filters[0].of',
      '"page" is not one of event, session, visitor.',
    ],
    ['a group of none', { any: [] }, 'filters[0].any', 'Must be a list of 1 to 20 filters.'],
    [
      'a group and a field',
      { any: [newsletter], field: 'path' },
      'filters[0].field',
      'Nothing may stand beside any.',
    ],
    [
      '21 filters over two groups',
      { any: [{ all: Array(11).fill(newsletter) }, { all: Array(10).fill(newsletter) }] },
      'filters',
      'At most 20 filters over all groups.',
    ],
    [
      '10,000 members',
      { any: Array(10_000).fill(newsletter) },
      'filters[0].any',
      'At most 20 filters, not 10,000.',
    ],
    [
      'a value with missing',
      { field: 'path', op: 'missing', value: '' },
      'filters[0].value',
      'The operator missing takes no value.',
    ],
    [
      'a text to compare numbers',
      { field: 'load_time', op: 'gt', value: '3' },
      'filters[0].value',
      'The operator gt takes a number.',
    ],
    [
      'a long pattern',
      { field: 'path', op: 'matches', value: 'a'.repeat(201) },
      'filters[0].value',
      'At most 200 characters, not 201.',
    ],
  ];
  for (const [what, filter, field, message] of refused) {
    it(`refuses ${what}, with its place`, async () => {
      const answer = await service.query({ parameters: ['pages'], ...DAYS, filters: [filter] });
      const details = expectError(answer, 400, 'VALIDATION_ERROR');
      expect(details.map((detail) => [detail.field, detail.message])).to.deep.equal([[field, message]]);
    });
  }

  for (const pattern of ['(', 'a**', '(a)\\1', '((a{1,100}){1,100}){1,100}']) {
    it(`refuses the pattern ${pattern} before it runs`, async () => {
      const filters = [{ field: 'path', op: 'matches', value: pattern }];
      const [detail] = expectError(
        await service.query({ parameters: ['pages'], ...DAYS, filters }),
        400,
        'VALIDATION_ERROR',
      );
      expect(detail?.field).to.equal('filters[0].value');
      expect(detail?.message).to.match(/^Must be a regular expression in the syntax of RE2: /);
    });
  }

  for (const pattern of ['\\pL{1000}', '(?:[^a]{1,30}){1,33}', '(?<n>a)', '(?<=x)y']) {
    it(`refuses the pattern ${pattern}, which the engine could not run`, async () => {
      const filters = [{ field: 'path', op: 'matches', value: pattern }];
      const [detail] = expectError(
        await service.query({ parameters: ['pages'], ...DAYS, filters }),
        400,
        'VALIDATION_ERROR',
      );
      expect(detail?.field).to.equal('filters[0].value');
      expect(detail?.message).to.match(/^At most 250 steps|without \(\?</);
    });
  }

  it('runs a pattern of the largest classes of letters that is allowed', async () => {
    const filters = [{ field: 'path', op: 'matches', value: '[\\p{Lu}\\pM\\pN\\p{Lo}]{240}' }];
    expect(rowsOf(await service.query({ parameters: ['pages'], ...DAYS, filters }))).to.deep.equal([]);
  });

  it('a pattern that would make others backtrack costs no more than another', async () => {
    const cpuMs = startCpuTime();
    for (const value of ['^(([a-z])+.)+[A-Z]([a-z])+$', '^(a|a)*$', '(.*)*x', '(x{1,9}){1,9}']) {
      const answer = await service.query({
        parameters: ['pages'],
        ...DAYS,
        filters: [{ field: 'path', op: 'matches', value, of: 'session' }],
      });
      expect(rowsOf(answer)).to.deep.equal([]);
    }
    expect(cpuMs()).to.be.lessThan(5_000);
  });

  it('groups of groups with 50,000 filters are refused at the first too many', async () => {
    const wide = (depth: number): object =>
      depth === 0 ? {} : { all: Array.from({ length: 20 }, () => wide(depth - 1)) };
    const cpuMs = startCpuTime();
    const answer = await service.query({ parameters: ['pages'], ...DAYS, filters: Array(6).fill(wide(3)) });
    expect(expectError(answer, 400, 'VALIDATION_ERROR')).to.deep.include({
      field: 'filters',
      message: 'At most 20 filters over all groups.',
    });
    expect(cpuMs()).to.be.lessThan(3_000);
  });
});
