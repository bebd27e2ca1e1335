/** A saved view: what a scene says as the API keeps it, and the address that shows it again. */

import { addressOf, type Parameters } from '../address-of.ts';
import type { ViewState } from '../api/wire.ts';
import { DIMENSIONS, type DimensionName, dimensionOf, fieldOf } from '../website/dimensions.ts';
import { rangeFields, rangeOf, rangeParameters } from '../website/range.ts';
import type { Scene } from '../website/scene.ts';
import { comparisonFields, comparisonOf } from '../website/scene-comparison.ts';
import { filterFields, filtersOf, filtersText } from '../website/scene-filters.ts';
import { WEBSITE_SCREENS, websitePath } from '../website/website-links.ts';

/** The whole address of the scene is kept with it, its screen and its parameters, so that open tabs and orders come back too; other clients read the rest. */
export function stateOf(scene: Scene, address: string): ViewState {
  const { timezone, granularity, filters, comparison, range } = scene;
  const [path = '', search = ''] = address.split('?');
  return {
    ...rangeFields(range),
    timezone,
    granularity,
    ...filterFields(filters),
    ...comparisonFields(comparison),
    display: { search, screen: path.split('/')[4] ?? '' },
  } as ViewState;
}

/**
 * The address of a view of a website: on the screen where it was saved, or on the overview if another client made it. Undefined: these
 * pages do not know its screen, or cannot say its range, filters or comparison.
 */
export function addressOfView(websiteId: string, state: ViewState): string | undefined {
  const { search, screen: saved = '' } = state.display ?? {};
  const isOurs = typeof search === 'string';
  const screen = WEBSITE_SCREENS.find((each) => each === (isOurs ? saved : ''));
  const parameters = isOurs ? Object.fromEntries(new URLSearchParams(search)) : parametersOf(state);
  if (screen === undefined || parameters === undefined) return undefined;
  return addressOf(websitePath(websiteId, screen), parameters);
}

/** The parameters that say the same as the fields of a query. */
function parametersOf(state: ViewState): Parameters | undefined {
  const { preset, startDate, endDate, granularity, compare, align } = state;
  const [from, to] = [startDate, endDate].map((text) => text?.replace(/(:\d\d)Z$/, '$1.000Z'));
  const range = rangeOf({ range: preset, from, to });
  const other = typeof compare === 'object' ? `${compare.startDate}..${compare.endDate}` : compare;
  const entries = (state.filters ?? []).map(entryOf);
  const filters = filtersOf(JSON.stringify(entries));
  // What makes no sense in an address is left out of it, or read as something else.
  const isSaid =
    JSON.stringify(rangeFields(range)) === JSON.stringify({ preset, startDate: from, endDate: to }) &&
    (other === undefined || comparisonOf({ compare: other }) !== undefined) &&
    filters.length === entries.length &&
    filters.every(({ of }, index) => of === entries[index]?.[3]);
  return isSaid
    ? { ...rangeParameters(range), by: granularity, filters: filtersText(filters), compare: other, align }
    : undefined;
}

/** A filter of a query as it stands in an address. */
function entryOf(filter: unknown): readonly unknown[] {
  const { not } = Object(filter) as { not?: unknown };
  const { field, op, operator = op, value = '', of } = Object(not ?? filter) as Record<string, unknown>;
  const names = [...Object.keys(DIMENSIONS), field] as DimensionName[];
  const name = names.find((each) => fieldOf(each) === field);
  const reach = of ?? (name && dimensionOf(name).isOfSession ? 'session' : 'event');
  return [name, operator, value, not ? `no_${reach}` : reach];
}
