/** Tells what a share shows, by the rules by which its readers' queries are answered. */
import type { Clock } from '../../shared/ports/clock.ts';
import type { DescribeShare } from '../../shared/ports/describe-share.ts';
import { requestOf } from '../saved-views/judge-view-state.ts';
import { createFaults } from '../stages/faults.ts';
import { asksForWhole } from './share-request.ts';
import { shareableDataset } from './shareable-datasets.ts';

export function createDescribeShare(clock: Clock): DescribeShare {
  return ({ name, datasets }, state) => {
    const faults = createFaults();
    const view = requestOf(state, clock.now(), faults);
    faults.throwIfAny();
    const [asked] = view?.parameters ?? [];
    if (view === null || asked === undefined) throw new Error('A view without faults is read.');
    // What is not shared any more, since a version left it out, is not offered.
    const names = datasets.flatMap((each) => shareableDataset(each)?.names[0] ?? []);
    const { from, to } = asked.range;
    return {
      name,
      datasets: [...new Set(names)],
      timezone: view.zone.name,
      preset: state.preset ?? null,
      from: view.isOfAllTime ? null : new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      granularity: state.granularity === undefined ? null : asked.granularity,
      hasParts: !asksForWhole(view),
    };
  };
}
