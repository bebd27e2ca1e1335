/** Makes goals as a store takes them, from the few fields that a test is about. */
import type { Goal } from '../../../services/shared/model/goal.ts';
import type { NewDocument } from '../../../services/shared/ports/document-store.ts';

type GoalFields = Pick<Goal, 'name' | 'type' | 'match'> &
  Partial<Pick<Goal, 'websiteId' | 'conditions' | 'revenueProperty' | 'currency'>> & {
    readonly position: number;
  };

/** A goal of web_a of org_a, unless the fields say otherwise. */
export function storedGoal(id: string, { position, ...fields }: GoalFields): NewDocument<Goal> {
  return {
    ...{ id, organizationId: 'org_a', websiteId: 'web_a', createdBy: 'key_1' },
    ...{ conditions: [], revenueProperty: null, currency: null },
    ...fields,
    position: String(position).padStart(9, '0'),
  };
}
