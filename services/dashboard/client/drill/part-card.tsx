/** A part of a screen that one dataset fills: its name and what it counts, and what is loading, missing or failed there. */
import type { ComponentChildren } from 'preact';
import type { Read } from '../api/use-read.ts';
import type { DatasetAnswer } from '../api/wire.ts';
import { Definition } from '../design/definition.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { useOldClass } from '../states/use-old.ts';
import { texts } from '../texts/texts.ts';
import type { QueryBatch } from '../website/batch.ts';
import { shownPart } from './shown-part.ts';

interface PartCardProps {
  readonly title: string;
  /** What is counted. */
  readonly definition: string;
  /** The call of the screen. */
  readonly read: Read<QueryBatch>;
  readonly dataset: string;
  /** The request object that asks for it; absent: the one of this name. */
  readonly id?: string;
  /** What stands at the end of the head. */
  readonly acts?: ComponentChildren;
  /** `isOld`: it answers an earlier question. */
  readonly children: (answer: DatasetAnswer, isOld: boolean) => ComponentChildren;
}

export function PartCard({ title, definition, read, dataset, id = dataset, acts, children }: PartCardProps) {
  const { answer, isOld, isWaiting } = shownPart(read, dataset, id);
  const old = useOldClass(isOld);
  return (
    <section class="card stack" aria-busy={read.isLoading}>
      <div class="row spread">
        <span class="row">
          <h2>
            <bdi>{title}</bdi>
          </h2>
          <Definition term={title} text={definition} />
        </span>
        <span class="row">{acts}</span>
      </div>
      {isWaiting && <Skeleton lines={10} />}
      {answer === undefined && !isWaiting && <p class="soft nothing">{texts.value.overview.noNumbers}</p>}
      {answer?.success === false && <PartFailed answer={answer} again={read.again} />}
      {answer?.success && <div class={`stack ${old}`}>{children(answer, isOld)}</div>}
    </section>
  );
}
