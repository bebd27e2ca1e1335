/** Measurements of remembered answers. */
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import type { AnswerStatus } from '../../../services/shared/storage/answers/remembered-answers.ts';

/** Each is read at a scrape. */
export function measureAnswers(metrics: Metrics, answers: () => AnswerStatus): void {
  const watch = (name: string, help: string, read: (status: AnswerStatus) => number) =>
    metrics.watch(`tidegate_remembered_answers_${name}`, help, () => read(answers()));
  watch('hits', 'Queries that were answered from memory since the start.', ({ hits }) => hits);
  watch('misses', 'Queries whose answer was not in memory.', ({ misses }) => misses);
  watch('bytes', 'About the bytes of the answers in memory.', ({ bytes }) => bytes);
}
