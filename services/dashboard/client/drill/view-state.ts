/** A saved view: what a scene says as the API keeps it, and the address that shows it again. */

import { addressOf, currentAddress } from '../address.ts';
import type { ViewState } from '../api/wire.ts';
import { rangeFields } from '../website/range.ts';
import type { Scene } from '../website/scene.ts';
import { comparisonFields } from '../website/scene-comparison.ts';
import { filterFields } from '../website/scene-filters.ts';

/** The parameter under which the address of the view stands; other clients read the rest. */
const SEARCH = 'search';

/** The whole address is kept with it, so that open tabs and orders come back too. */
export function stateOf(scene: Scene): ViewState {
  const { timezone, granularity, filters, comparison, range } = scene;
  const [, search = ''] = currentAddress().split('?');
  return {
    ...rangeFields(range),
    timezone,
    granularity,
    ...filterFields(filters),
    ...comparisonFields(comparison),
    display: { [SEARCH]: search },
  } as ViewState;
}

/** The address of a view on the screen at `path`; undefined: the view was saved elsewhere, and these pages cannot show it. */
export function addressOfView(path: string, { display }: ViewState): string | undefined {
  const search = display?.[SEARCH];
  if (typeof search !== 'string') return undefined;
  return addressOf(path, Object.fromEntries(new URLSearchParams(search)));
}
