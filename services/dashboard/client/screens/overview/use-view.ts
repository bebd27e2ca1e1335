/** What the address of an overview says: website, range, granularity, measure, open lists, and how each of them is changed. */
import { useAddress } from '../../address.ts';
import { timezone } from '../../texts/format.ts';
import { dayIn } from './calendar.ts';
import { type Measure, measureOf } from './measures.ts';
import { type List, listOf, PANELS, type Panel } from './panels.ts';
import type { Scene } from './questions.ts';
import {
  type Granularity,
  granularitiesOf,
  granularityOf,
  type Range,
  rangeOf,
  rangeParameters,
} from './range.ts';

export interface View extends Scene {
  /** The date in the organization's time zone. */
  readonly today: string;
  readonly granularities: readonly Granularity[];
  readonly measure: Measure;
  readonly isTable: boolean;
  listOf(panel: Panel): List;
  /** Another range; the granularity that suits it is found anew, unless one is named. */
  showRange(range: Range, granularity?: Granularity): void;
  showGranularity(granularity: Granularity): void;
  showMeasure(measure: Measure): void;
  showTable(isTable: boolean): void;
  showList(panel: Panel, list: List): void;
}

export function useView(websiteId: string): View {
  const { parameters, change } = useAddress();
  const zone = timezone.value;
  const today = dayIn(zone, Date.now());
  const range = rangeOf(parameters);
  return {
    websiteId,
    timezone: zone,
    range,
    today,
    granularity: granularityOf(parameters.by, range, today),
    granularities: granularitiesOf(range, today),
    measure: measureOf(parameters.measure),
    isTable: parameters.view === 'table',
    listOf: (panel) => listOf(panel, parameters[panel.key]),
    showRange: (next, by) => change({ ...rangeParameters(next), by }),
    showGranularity: (by) => change({ by }),
    showMeasure: ({ key }) => change({ measure: key === 'visitors' ? undefined : key }, true),
    showTable: (isTable) => change({ view: isTable ? 'table' : undefined }, true),
    showList: (panel, list) =>
      change({ [panel.key]: list === panel.lists[0] ? undefined : list.dataset }, true),
  };
}

/** Every list that the address opens. */
export function openLists(view: View): readonly List[] {
  return PANELS.map((panel) => view.listOf(panel));
}
