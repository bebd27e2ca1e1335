/** Checks the addresses of saved views: of those that the pages saved, of those of other clients, and of hostile ones. */
import { expect } from 'chai';
import type { ViewState } from '../../../../../services/dashboard/client/api/wire.ts';
import { addressOfView } from '../../../../../services/dashboard/client/drill/view-state.ts';
import { filterFields, filtersOf } from '../../../../../services/dashboard/client/website/scene-filters.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('the address of a saved view', () => {
  const addressOf = (state: object) => addressOfView('web_shop', state as ViewState);
  const parametersOf = (state: object) =>
    Object.fromEntries(new URL(addressOf(state) ?? 'none:', 'http://localhost').searchParams);

  it('is that of the screen where it was saved, with all its parameters', () => {
    const display = { search: 'range=last_7d&tab=links', screen: 'journeys' };
    expect(addressOf({ preset: 'last_7d', display })).to.equal(`${SHOP}/journeys?range=last_7d&tab=links`);
    expect(addressOf({ preset: 'last_7d', display: { search: '', screen: '' } })).to.equal(SHOP);
    // Saved before screens were kept.
    expect(addressOf({ preset: 'last_7d', display: { search: 'range=last_7d' } })).to.equal(
      `${SHOP}?range=last_7d`,
    );
  });

  it('never leads out of the screens of the website, whatever the view says', () => {
    for (const screen of [
      ...['../../keys', '/login', '//evil.example', 'settings', 'toString', '__proto__', 'goals/../..'],
      ...['goals?x', 'Goals', 7, null, ['goals'], { length: 0 }],
    ]) {
      expect(addressOf({ preset: 'last_7d', display: { search: '', screen } }), `${screen}`).to.equal(
        undefined,
      );
    }
    const search = '//evil.example/#"><script>&next=javascript:alert(1)';
    const address = new URL(addressOf({ display: { search, screen: 'goals' } }) ?? '', 'http://localhost');
    expect([address.origin, address.pathname, address.hash]).to.deep.equal([
      ...['http://localhost', `${SHOP}/goals`, ''],
    ]);
  });

  it('is that of the overview with the range, filters and comparison of another client', () => {
    expect(addressOf({ preset: 'last_30d' })).to.equal(SHOP);
    expect(addressOf({ preset: 'last_7d', timezone: 'UTC', display: { tab: 'pages' } })).to.equal(
      `${SHOP}?range=last_7d`,
    );
    expect(
      parametersOf({
        ...{ startDate: '2026-01-01', endDate: '2026-01-31', granularity: 'weekly', align: 'weekday' },
        compare: { startDate: '2025-01-01', endDate: '2025-01-31' },
      }),
    ).to.deep.equal({
      ...{ from: '2026-01-01', to: '2026-01-31', by: 'weekly', align: 'weekday' },
      compare: '2025-01-01..2025-01-31',
    });
    expect(
      parametersOf({ startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-01T06:00:00Z' }),
    ).to.deep.equal({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T06:00:00.000Z' });
    const filters = [
      { field: 'session_utm_source', op: 'eq', value: 'newsletter' },
      { value: '/docs', op: 'starts_with', field: 'path', of: 'visitor' },
      { field: 'browser_name', op: 'ne', value: 'Firefox' },
      { not: { field: 'properties.plan', op: 'eq', value: 'pro', of: 'session' } },
      { field: 'country', op: 'missing', of: 'session' },
    ];
    const { filters: text } = parametersOf({ preset: 'last_7d', filters });
    expect(filterFields(filtersOf(text))).to.deep.equal({ filters });
    expect(
      parametersOf({
        preset: 'last_7d',
        filters: [{ field: 'path', operator: 'eq', value: '/', of: 'event' }],
      }),
    ).to.deep.equal({ range: 'last_7d', filters: '[["path","eq","/","event"]]' });
  });

  it('is unknown of what these pages cannot say, rather than another one', () => {
    const path = { field: 'path', op: 'eq', value: '/' };
    for (const state of [
      {},
      { preset: 'last_99d' },
      { startDate: '2026-01-01' },
      { startDate: '2026-01-01T00:00:00+02:00', endDate: '2026-01-02T00:00:00+02:00' },
      { preset: 'last_7d', compare: { startDate: '2025-01-01T00:00:00Z', endDate: '2025-01-02T00:00:00Z' } },
      ...[
        { any: [path] },
        { not: { any: [path] } },
        { ...path, value: ['/', '/docs'] },
        { ...path, op: 'ends_with' },
        { ...path, of: 'event', field: 'session_utm_source' },
        // Sessions with any such event are others than those that began with it.
        { ...path, of: 'session', field: 'utm_source' },
        { ...path, field: 'properties.plan' },
        { op: 'eq', value: '/' },
        'path',
        null,
      ].map((filter) => ({ preset: 'last_7d', filters: [path, filter] })),
    ]) {
      expect(addressOf(state), JSON.stringify(state)).to.equal(undefined);
    }
  });
});
