/** The goals of a website: all of them in their order with their numbers, or one over time and by a dimension. */
import { useAddress, usePathPart } from '../../address.ts';
import { GoalList } from './goal-list.tsx';
import { OneGoal } from './one-goal.tsx';

export function Goals() {
  const websiteId = usePathPart('websiteId');
  const { goal } = useAddress().parameters;
  return goal ? (
    <OneGoal key={goal} websiteId={websiteId} goalId={goal} />
  ) : (
    <GoalList websiteId={websiteId} />
  );
}
