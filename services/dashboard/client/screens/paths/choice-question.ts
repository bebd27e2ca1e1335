/** Chosen events in words, and how a screen asks what goals among them are called. */
import { answerOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { type Question, rangeQuestion, type Scene } from '../../website/scene.ts';
import type { EventChoice } from './event-choice.ts';
import { matchText } from './match-text.ts';

/** The requests of a screen: its own, and what the chosen goals are called. */
export function withGoals(
  scene: Scene,
  question: Question,
  choices: readonly (EventChoice | undefined)[],
): readonly Question[] {
  const ids = choices.flatMap((choice) => (choice && 'goalId' in choice ? [choice.goalId] : []));
  const goals = [...new Set(ids)].map((goalId) => ({ name: 'goals', id: goalId, goalId }));
  return goals.length === 0 ? [question] : [question, rangeQuestion(scene, 'goals', goals, [])];
}

/** A choice in words; empty: there is none. */
export function choiceWords(choice: EventChoice | undefined, batch: QueryBatch | undefined): string {
  if (choice === undefined) return '';
  if (!('goalId' in choice)) return matchText(choice);
  const [goal] = answerOf(batch, choice.goalId, 'goals')?.data ?? [];
  return goal ? textOf(goal, 'name') : '…';
}
