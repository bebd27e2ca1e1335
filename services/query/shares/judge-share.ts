/** Judges the datasets of a share: those that may be shared, and that take the filters of its view. */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { JudgeShare } from '../../shared/ports/judge-share.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import { requestOf } from '../saved-views/judge-view-state.ts';
import { createFaults } from '../stages/faults.ts';
import { planFilters } from '../stages/fields.ts';
import { unknownDataset } from '../stages/known-names.ts';
import { SHAREABLE_DATASETS, shareableDataset } from './shareable-datasets.ts';

export function createJudgeShare(clock: Clock): JudgeShare {
  return (datasets, state) => {
    const filters = requestOf(state, clock.now(), createFaults())?.filters ?? [];
    return datasets.flatMap((name, index): ErrorDetail[] => {
      const message = faultOf(name);
      if (message !== null) return [{ field: `datasets[${index}]`, message }];
      const dataset = shareableDataset(name);
      const planned = dataset && planFilters(filters, dataset);
      if (!planned || !('refused' in planned)) return [];
      return [{ field: `datasets[${index}]`, message: `The view's filters: ${planned.refused}` }];
    });
  };
}

function faultOf(name: string): string | null {
  if (!DATASETS_BY_NAME.has(name)) return unknownDataset(name, DATASETS_BY_NAME).message;
  if (shareableDataset(name) !== undefined) return null;
  return `"${name}" is not for shares. Allowed: ${[...SHAREABLE_DATASETS.keys()].join(', ')}.`;
}
