/** Stands in for charts without numbers: nothing in this range, or nothing at all yet, which the snippet changes. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addressOf, HOME } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import type { DatasetAnswer } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Empty } from '../../states/empty.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { type Emptiness, emptinessOf } from './emptiness.ts';
import { eventsOf } from './model.ts';
import { everRequest } from './questions.ts';
import type { View } from './use-view.ts';

interface NoEventsProps {
  readonly view: View;
  /** The totals of all time, where the screen asked for them. */
  readonly ever: DatasetAnswer | undefined;
  readonly createdAt: string | undefined;
  /** Whether what the website is comes yet. */
  readonly isComing: boolean;
}

/** To look through all time costs more than the screen, so that is asked when somebody wants it. */
export function NoEvents({ view, ever, createdAt, isComing }: NoEventsProps) {
  const t = texts.value;
  const [isLooking, look] = useState(false);
  const own = useRead<QueryBatch>(isLooking && !ever ? everRequest(view) : null);
  const totals = ever ?? answerOf(own.data, 'summary_metrics');
  const count = totals?.success ? eventsOf(totals) : undefined;
  const place = useRef<HTMLDivElement>(null);
  // What had the focus is gone with the answer.
  useLayoutEffect(() => {
    if (isLooking && own.data) place.current?.focus();
  }, [isLooking, own.data]);
  if (isComing && count === undefined) return <Skeleton lines={4} />;
  const emptiness = emptinessOf({ ...view, createdAt, ever: count });
  return (
    <>
      <h2 class="unseen">{t.overview.chart(t.overview.measures[view.measure.key])}</h2>
      {own.fault && <FaultNotice fault={own.fault} repeatsAt={own.repeatsAt} again={own.again} />}
      <div tabIndex={-1} ref={place}>
        <Why emptiness={emptiness} count={count ?? 0} websiteId={view.websiteId}>
          {count === undefined && (
            <Button kind="plain" icon="search" isBusy={own.isLoading} onClick={() => look(true)}>
              {t.overview.lookEver}
            </Button>
          )}
        </Why>
      </div>
    </>
  );
}

interface WhyProps {
  readonly emptiness: Emptiness;
  /** Events of all time. */
  readonly count: number;
  readonly websiteId: string;
  /** How to learn more. */
  readonly children: ComponentChildren;
}

function Why({ emptiness, count, websiteId, children }: WhyProps) {
  const t = texts.value;
  const snippet = addressOf(`${HOME}/websites/${encodeURIComponent(websiteId)}/settings`);
  if (emptiness === 'in-range' || emptiness === 'elsewhere') {
    return (
      <Empty title={t.states.noneInRange}>
        {emptiness === 'elsewhere' && <p>{t.overview.elsewhere(formatNumber(count))}</p>}
        <p>{t.states.noneInRangeHint}</p>
        {children}
        {emptiness === 'in-range' && <a href={snippet}>{t.overview.toSnippet}</a>}
      </Empty>
    );
  }
  return (
    <Empty title={t.states.noEvent}>
      <p>{t.overview.noEventHint}</p>
      <Button icon="terminal" href={snippet}>
        {t.overview.toSnippet}
      </Button>
      {children}
    </Empty>
  );
}
