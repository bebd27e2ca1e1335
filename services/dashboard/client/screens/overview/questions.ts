/** What the screen asks the API: one batch for all that it shows, and one list for what is opened later. */
import type { Request } from '../../api/answer.ts';
import { ALL_GOALS } from '../../website/all-goals.ts';
import { queryRequest, type Scene, sceneFields } from '../../website/scene.ts';
import { GOALS, type List } from './panels.ts';

/** Rows of a list before more are asked for. */
export const FEW = 10;
/** As many as the API answers of a list, less those that {@link limitOf} adds. */
export const MOST = 9_998;
/** Rows after each "more". */
export const STEPS: readonly number[] = [FEW, 100, 1_000, MOST];
/** All countries there are, for the map. */
const EVERY_COUNTRY = 300;

/** Rows to ask for when `shown` are: one that is left out, and one that tells whether there are more. */
export function limitOf(dataset: string, shown: number): number {
  return dataset === 'countries' && shown < EVERY_COUNTRY ? EVERY_COUNTRY : shown + 2;
}

/** The request that asks for all time. */
export const EVER = 'ever';
const ALL_TIME = { parameters: ['summary_metrics'], startDate: '2000-01-01', endDate: '2999-12-31' };

/**
 * Everything of the screen in one call: a request object for each number of rows. `isNew`: the website may never have had an event, and
 * that is asked too, last, since the first answer of a dataset is the range's; of an old one it would cost more than the rest.
 */
export function screenRequest(scene: Scene, lists: readonly List[], isNew = false): Request {
  const fields = sceneFields(scene);
  const byLimit = new Map<number, string[]>();
  for (const { dataset } of lists) {
    const limit = limitOf(dataset, FEW);
    byLimit.set(limit, [...(byLimit.get(limit) ?? []), dataset]);
  }
  return queryRequest(scene, [
    {
      id: 'numbers',
      parameters: ['summary_metrics', 'summary'],
      ...fields,
      granularity: scene.granularity,
    },
    // Who is there now is asked of everybody.
    { id: 'now', parameters: ['active_stats'] },
    ...[...byLimit].map(([limit, parameters]) => ({ id: `lists of ${limit}`, parameters, ...fields, limit })),
    ...(isNew ? [{ id: EVER, ...ALL_TIME }] : []),
  ]);
}

/** One list alone. */
export function listRequest(scene: Scene, dataset: string, shown: number): Request {
  return queryRequest(scene, [
    { parameters: [dataset], ...sceneFields(scene), limit: limitOf(dataset, shown) },
  ]);
}

/** A page of all goals. */
export function goalsRequest(scene: Scene, page: number): Request {
  return queryRequest(scene, [
    { parameters: [GOALS.dataset], ...sceneFields(scene), limit: ALL_GOALS.rows, page },
  ]);
}

/** The series alone, for the line that copies it. */
export function seriesRequest(scene: Scene): Request {
  return queryRequest(scene, [
    { parameters: ['summary'], ...sceneFields(scene), granularity: scene.granularity },
  ]);
}

/** Who is there now; it is no question of the range. */
export function activeRequest(scene: Pick<Scene, 'websiteId' | 'timezone'>): Request {
  return queryRequest(scene, [{ parameters: ['active_stats'] }]);
}

/** Whether the website has ever had an event. */
export function everRequest(scene: Scene): Request {
  return queryRequest(scene, [{ id: EVER, ...ALL_TIME }]);
}
