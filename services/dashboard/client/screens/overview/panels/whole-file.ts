/** A whole list of the overview for a file, as far as the API answers it. */
import { tableOf } from '../../../drill/table-of.ts';
import type { Cell } from '../../../exports/csv.ts';
import type { Whole } from '../../../exports/whole-list.ts';
import { ALL_GOALS } from '../../../website/all-goals.ts';
import { askDataset, wholeDataset } from '../../../website/ask-dataset.ts';
import type { Scene } from '../../../website/scene.ts';
import { GOALS, type List } from '../panels.ts';
import { goalsRequest, listRequest, MOST } from '../questions.ts';
import { fileOf, shownList } from './shown-list.ts';

export async function wholeFile(scene: Scene, list: List): Promise<Whole<readonly Cell[]>> {
  const { dataset } = list;
  if (list === GOALS) {
    const whole = await wholeDataset((page) => goalsRequest(scene, page), ALL_GOALS, dataset);
    return whole.ok ? { ...whole, ...tableOf(whole.rows) } : whole;
  }
  const answer = await askDataset(listRequest(scene, dataset, MOST), dataset);
  if (!answer.ok) return answer;
  const content = shownList(answer.body, list, MOST);
  return { ok: true, ...fileOf(content), isCut: content.hasMore };
}
