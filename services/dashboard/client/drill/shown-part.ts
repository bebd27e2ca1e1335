/** What a part of a screen shows of the screen's call: what has come for it, or else what was there before. */
import type { Read } from '../api/use-read.ts';
import type { DatasetAnswer } from '../api/wire.ts';
import { answerOf, type QueryBatch } from '../website/batch.ts';

export interface ShownPart {
  readonly answer: DatasetAnswer | undefined;
  /** Whether it answers an earlier question. */
  readonly isOld: boolean;
  /** Whether there is nothing, and it is still to come. */
  readonly isWaiting: boolean;
}

export function shownPart(
  { data, earlier, isOld, fault }: Read<QueryBatch>,
  dataset: string,
  id: string | undefined,
): ShownPart {
  const come = answerOf(data, dataset, id);
  const answer = come ?? answerOf(earlier, dataset, id);
  return {
    answer,
    isOld: isOld || (come === undefined && answer !== undefined),
    isWaiting: answer === undefined && fault === undefined,
  };
}
