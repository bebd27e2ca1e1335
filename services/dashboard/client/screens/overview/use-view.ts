/** What the address of an overview says beside its scene: measure, open lists, and how each of them is changed. */
import { useAddress } from '../../address.ts';
import { type SceneView, useScene } from '../../website/use-scene.ts';
import { type Measure, measureOf } from './measures.ts';
import { type List, listOf, type Panel } from './panels.ts';

export interface View extends SceneView {
  readonly measure: Measure;
  readonly isTable: boolean;
  /** Whether the annotations are shown. */
  readonly hasNotes: boolean;
  listOf(panel: Panel): List;
  showMeasure(measure: Measure): void;
  showTable(isTable: boolean): void;
  showNotes(hasNotes: boolean): void;
  showList(panel: Panel, list: List): void;
}

export function useView(websiteId: string): View {
  const { parameters, change } = useAddress();
  return {
    ...useScene(websiteId),
    measure: measureOf(parameters.measure),
    isTable: parameters.view === 'table',
    hasNotes: parameters.notes === 'shown',
    listOf: (panel) => listOf(panel, parameters[panel.key]),
    showMeasure: ({ key }) => change({ measure: key === 'visitors' ? undefined : key }, true),
    showTable: (isTable) => change({ view: isTable ? 'table' : undefined }, true),
    showNotes: (hasNotes) => change({ notes: hasNotes ? 'shown' : undefined }, true),
    showList: (panel, list) =>
      change({ [panel.key]: list === panel.lists[0] ? undefined : list.dataset }, true),
  };
}
