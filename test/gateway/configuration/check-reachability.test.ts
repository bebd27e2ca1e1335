/** What the reachability check promises: in every accepted file the dispatch table and the order of the file choose alike. */

import { expect } from 'chai';
import fc from 'fast-check';
import { checkEndpoints } from '../../../gateway/configuration/check-endpoints.ts';
import { checkReachability } from '../../../gateway/configuration/check-reachability.ts';
import type { ApiEndpoint } from '../../../gateway/configuration/configuration.ts';
import { Cursor } from '../../../gateway/configuration/cursor.ts';
import { type Fault, formatFault } from '../../../gateway/configuration/faults.ts';
import type { SourceFile } from '../../../gateway/configuration/source-file.ts';
import { compileDispatchTable } from '../../../gateway/serve/engine/dispatch-table.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';

const METHODS = ['GET', 'POST', 'PUT'] as const;
const PATHS = ['a', 'b', 'c'].flatMap((one) => [
  `/${one}`,
  ...['a', 'b', 'c'].flatMap((two) => [
    `/${one}/${two}`,
    ...['a', 'c'].map((three) => `/${one}/${two}/${three}`),
  ]),
]);

const pattern = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', ':'), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([segments, open]) => {
    const named = segments.map((text, index) => (text === ':' ? `:id${index}` : text));
    return `/${[...named, ...(open ? ['*'] : [])].join('/')}`;
  });
const endpoint = fc.record({
  paths: fc.uniqueArray(pattern, { minLength: 1, maxLength: 2 }),
  methods: fc.option(fc.uniqueArray(fc.constantFrom(...METHODS), { minLength: 1 }), { nil: undefined }),
});

type Declared = { paths: string[]; methods?: (typeof METHODS)[number][] };

/** The endpoints as the check gives them on, and what it found; the catch-all stands last. */
function judge(declared: readonly Declared[]): { endpoints: ApiEndpoint[]; faults: string[] } {
  const named = declared.map((one, index) => [
    `endpoint${index}`,
    { paths: one.paths, ...(one.methods ? { methods: one.methods } : {}), access: 'public' },
  ]);
  const value = Object.fromEntries([...named, ['rest', { paths: '/*', access: 'optional' }]]);
  const faults: Fault[] = [];
  const source: SourceFile = {
    name: 'test.yml',
    value,
    written: value,
    placeOf: (steps) => ({ file: 'test.yml', line: undefined, steps }),
    replacedAt: () => undefined,
    holdsSecret: () => false,
  };
  const checked = checkEndpoints(Cursor.of(source, faults), SHIPPED_CATALOGUE.names);
  checkReachability(checked);
  const counting = { limits: [], cost: 'request', countedList: null, pipeline: 'all' } as const;
  const endpoints = checked.map(({ cursor: _, sound: __, hasRule: ___, ...one }) => ({
    ...one,
    ...counting,
    place: { file: 'test.yml', line: 1 },
    routes: [],
  }));
  return { endpoints, faults: faults.map(formatFault) };
}

/** The first endpoint of the file that has path and method: what express-gateway would choose. */
function firstMatch(endpoints: readonly ApiEndpoint[], method: string, path: string): string | undefined {
  return endpoints.find(
    (one) =>
      (one.methods?.some((known) => known === method) ?? true) &&
      one.paths.some((declared) => asRegex(declared).test(path)),
  )?.name;
}

function asRegex(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`);
}

describe('reachability check', () => {
  it('accepts only what the dispatch table answers as the order of the file says, or with 405', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(endpoint, { minLength: 1, maxLength: 4 }), (declared) => {
        const { endpoints, faults } = judge(declared);
        fc.pre(faults.length === 0);
        accepted += 1;
        const table = compileDispatchTable(endpoints.map((one) => ({ endpoint: one, handlers: [] })));
        for (const path of PATHS) {
          for (const method of METHODS) {
            const chain = table.match(method, path) ?? table.unmatched;
            const first = firstMatch(endpoints, method, path);
            if (chain.endpoint.allow === null)
              expect(chain.endpoint.name, `${method} ${path}`).to.equal(first);
            else expect(chain.endpoint.allow).to.not.include(method);
          }
        }
      }),
      { numRuns: 300, maxSkipsPerRun: 100 },
    );
    expect(accepted).to.be.at.least(300);
  });

  it('accepts every file whose patterns do not overlap, in any order', () => {
    const apart: Declared[] = [{ paths: ['/a/:id'] }, { paths: ['/b/*'] }, { paths: ['/a', '/b'] }];
    fc.assert(
      fc.property(fc.shuffledSubarray(apart, { minLength: 3 }), (declared) => {
        expect(judge(declared).faults).to.deep.equal([]);
      }),
    );
  });

  it('accepts a specific endpoint before a general one', () => {
    const { faults } = judge([
      { paths: ['/a/b'] },
      { paths: ['/a/:id0'] },
      { paths: ['/a/*'] },
      { paths: ['/:id0/b'] },
    ]);
    expect(faults).to.deep.equal([]);
  });
});
