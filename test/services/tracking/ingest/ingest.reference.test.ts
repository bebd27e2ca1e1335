/** Holds docs/ingest.md to the code: its routes, fields and bounds are those that the service has, no more and no less. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { typedEventSchema } from '../../../../services/tracking/legacy/read-typed-event.ts';
import { wireEventSchema } from '../../../../services/tracking/record/wire-event.ts';
import { trackingRoutes } from '../../../../services/tracking/routes.ts';
import { tableIn } from '../../../support/markdown-table.ts';
import { type Bounds, FIELDS, shown, x } from '../event-bounds.ts';

const GUIDE = readFileSync(join(PACKAGE_ROOT, 'docs/ingest.md'), 'utf8');
/** The metric and the message are required by their own events alone. */
const BASE = { name: 'documented' };

/** Values at and beyond the bound that a cell names. */
function boundsOf(cell: string, field: string): Bounds {
  const text = /^text (\d+)\.\.(\d+)( KB)?$/.exec(cell);
  if (text) {
    const most = Number(text[2]) * (text[3] ? 1024 : 1);
    const empty = text[1] === '0' ? { accepted: [''], refused: [] } : { accepted: ['x'], refused: ['', ' '] };
    return { accepted: [x(most), ...empty.accepted], refused: [x(most + 1), ...empty.refused, 7] };
  }
  const number = /^(whole )?number (-?\d+)\.\.(\d+)$/.exec(cell);
  if (number) {
    const [least, most] = [Number(number[2]), Number(number[3])];
    const half = number[1] ? { accepted: [], refused: [0.5] } : { accepted: [0.5], refused: [] };
    return { accepted: [least, most, ...half.accepted], refused: [least - 1, most + 1, ...half.refused] };
  }
  if (/^[A-Z]+(, [A-Z]+)+$/.test(cell)) return { accepted: cell.split(', '), refused: ['FID', 7] };
  expect(['object', 'instant', 'pixels', 'true, false, auto'], `what "${cell}" allows`).to.include(cell);
  return FIELDS[field] ?? expect.fail(`no bounds of ${field}`);
}

describe('docs/ingest.md', () => {
  it('lists every route that takes events, and who may use it', () => {
    const routes = trackingRoutes.filter(({ path }) => !['/tracker.js', '/:slug'].includes(path));
    const expected = routes.map(({ method, path, rule }) => [
      `${method} ${path}`,
      rule !== 'public' && 'keyless' in rule ? 'key, or none' : 'key or session',
    ]);
    const rows = tableIn(GUIDE, 'route', 'credential').map(([route, who]) => [route, who]);
    expect(rows.sort()).to.deep.equal(expected.sort());
  });

  it('shows the answers of the routes as they are', () => {
    for (const [route, , , answer = ''] of tableIn(GUIDE, 'route', 'credential')) {
      if (!answer.startsWith('{')) continue;
      const described = trackingRoutes.find(({ method, path }) => `${method} ${path}` === route);
      expect(described?.success.schema.safeParse(JSON.parse(answer)).success, route).to.equal(true);
    }
  });

  it('lists every field of an event', () => {
    const fields = tableIn(GUIDE, 'field', 'allowed', 'meaning').map(([field]) => field);
    expect(fields.sort()).to.deep.equal(Object.keys(wireEventSchema.shape).sort());
  });

  for (const [field = '', allowed = ''] of tableIn(GUIDE, 'field', 'allowed', 'meaning')) {
    it(`tells the bound of ${field}: ${allowed}`, () => {
      const { accepted, refused } = boundsOf(allowed, field);
      const faultsOf = (value: unknown) => {
        const issues = wireEventSchema.safeParse({ ...BASE, [field]: value }).error?.issues ?? [];
        return issues.map(({ path }) => path[0]);
      };
      // An hour from now is judged by the clock, behind the schema.
      const refusedHere = field === 'timestamp' ? [Date.UTC(2000, 0, 1) - 1, 'yesterday', true] : refused;
      for (const value of accepted) expect(faultsOf(value), shown(value)).to.deep.equal([]);
      for (const value of refusedHere) expect(faultsOf(value), shown(value)).to.deep.equal([field]);
    });
  }

  it('tells the bounds of properties, of the body and of arrays, and the types', () => {
    const properties = (value: unknown) => wireEventSchema.safeParse({ ...BASE, properties: value }).success;
    const [, keys = '', bytes = '', depth = ''] =
      /At most (\d+) keys, 32 KB \((\d+) bytes\) as JSON, nested at most (\d+) levels/.exec(GUIDE) ?? [];
    const withKeys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
    const ofBytes = (count: number) => ({ k: x(count - '{"k":""}'.length) });
    const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
    for (const [made, most] of [
      [withKeys, Number(keys)],
      [ofBytes, Number(bytes)],
      [nested, Number(depth)],
    ] as const) {
      expect([properties(made(most)), properties(made(most + 1))]).to.deep.equal([true, false]);
    }
    const bodies = trackingRoutes.flatMap(({ body }) => (body ? [body.maxBytes] : []));
    const [, bodyBytes = ''] = /A body has at most 2 MB \((\d+) bytes\)/.exec(GUIDE) ?? [];
    expect(new Set(bodies)).to.deep.equal(new Set([Number(bodyBytes)]));
    const [, named = '', own = ''] =
      /is one of ([a-z_, ]+) \(the event has a `name`[^)]*\), or\s+one of ([a-z_, ]+) \(the type/.exec(
        GUIDE,
      ) ?? [];
    const fault = typedEventSchema.safeParse({ type: 'none' }).error?.issues[0]?.message;
    expect(fault).to.equal(`Expected one of ${named}, ${own}.`);
  });
});
