/** The overview of a website: totals, the line over time, and what they are made of, in one call. */
import type { ComponentChild } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { usePathPart } from '../../address.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import { knownWebsite, useWebsite } from '../../api/websites.ts';
import { PageHead } from '../../design/page-head.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { texts } from '../../texts/texts.ts';
import { Active } from './active.tsx';
import { Countries } from './countries.tsx';
import { formatRange } from './formats.ts';
import { answerOf, bucketsOf, eventsOf, type QueryBatch, totalsOf } from './model.ts';
import { NoEvents } from './no-events.tsx';
import { Panel, PartFailed } from './panel.tsx';
import { COUNTRIES, type List, PANELS } from './panels.ts';
import { EVER, screenRequest } from './questions.ts';
import { daysOf } from './range.ts';
import { Dates, RangeBar } from './range-bar.tsx';
import { Series } from './series.tsx';
import { Tiles } from './tiles.tsx';
import { openLists, useView, type View } from './use-view.ts';

/** How long after its making a website may well wait for its first event: a week, in milliseconds. */
const NEW_MS = 7 * 86_400_000;

export function Overview() {
  const websiteId = usePathPart('websiteId');
  const view = useView(websiteId);
  const { lists, isNew } = useQuestions(view);
  const [known] = useState(() => knownWebsite(websiteId));
  const read = useRead<QueryBatch>(screenRequest(view, lists, isNew));
  const { summary, website } = useWebsite(websiteId, known, read.fault);
  const { name, domain } = summary ?? {};
  const panels = panelsOf(view, read, lists, domain);
  const line = useLine(view, read);
  if (website.fault?.kind === 'missing' || website.fault?.kind === 'forbidden') {
    return (
      <>
        <PageHead title={texts.value.words.website} />
        <FaultNotice fault={website.fault} />
      </>
    );
  }
  const fault = read.fault ?? website.fault;
  const source = read.fault ? read : website;
  const totals = answerOf(read.data, 'summary_metrics');
  const isEmpty = totals?.success === true && eventsOf(totals) === 0;
  return (
    <>
      <PageHead
        title={name ?? texts.value.words.website}
        lead={
          <span class="row">
            <bdi>{domain ?? '…'}</bdi>
            <span>{formatRange(view.range, view.today)}</span>
            <Active view={view} batch={read.data} hasFailed={read.fault !== undefined} />
          </span>
        }
      >
        <RangeBar view={view} again={read.again} />
      </PageHead>
      <Dates view={view} />
      {fault && (
        <FaultNotice
          fault={fault}
          at={read.data && read.at}
          repeatsAt={source.repeatsAt}
          again={source.again}
        />
      )}
      <div class="overview stack" aria-busy={read.isLoading}>
        <div class={`card stack numbers ${read.isOld ? 'is-old' : ''}`}>
          {totals?.success === false ? (
            <PartFailed answer={totals} again={read.again} />
          ) : (
            <Tiles
              view={view}
              totals={totals && totalsOf(totals)}
              isWaiting={totals === undefined && read.fault === undefined}
            />
          )}
          {isEmpty ? (
            <NoEvents
              view={view}
              ever={answerOf(read.data, 'summary_metrics', EVER)}
              createdAt={summary?.createdAt}
              isComing={website.isLoading}
            />
          ) : (
            line
          )}
        </div>
        {!isEmpty && panels}
      </div>
    </>
  );
}

/** All panels; each is drawn anew for what it shows, and not for another measure of the line or a list of another panel. */
function panelsOf(
  view: View,
  { data, isOld, fault, again }: Read<QueryBatch>,
  lists: readonly List[],
  domain: string | undefined,
) {
  const { websiteId, range, granularity, timezone } = view;
  const scene = JSON.stringify([websiteId, range, granularity, timezone]);
  const hasFailed = fault !== undefined;
  const isAsked = (dataset: string) => lists.some((list) => list.dataset === dataset);
  return (
    <div class="panels">
      {PANELS.map((panel) => (
        <Kept
          key={panel.key}
          of={[scene, view.listOf(panel), data, isOld, hasFailed, lists, domain]}
          draw={() => (
            <Panel
              panel={panel}
              view={view}
              batch={data}
              isAsked={isAsked}
              isOld={isOld}
              hasFailed={hasFailed}
              again={again}
              domain={domain}
            >
              {panel.key === 'places' && <Countries batch={data} isOld={isOld} />}
            </Panel>
          )}
        />
      ))}
    </div>
  );
}

interface KeptProps {
  /** What the drawing depends on; as many each time. */
  readonly of: readonly unknown[];
  readonly draw: () => ComponentChild;
}

/** Keeps what was drawn until something that it depends on is another. */
function Kept({ of, draw }: KeptProps) {
  return useMemo(draw, of);
}

/**
 * The line over time. While numbers of another range come, it stays as it was drawn: its buckets are those of the range before, and to
 * draw them once more would only delay what somebody pressed.
 */
function useLine(view: View, { data, at, fault, isOld, again }: Read<QueryBatch>) {
  const ofData = useRef(view);
  if (!isOld) ofData.current = view;
  const { measure, isTable } = view;
  const { websiteId, range, granularity, timezone, today } = ofData.current;
  const scene = JSON.stringify([websiteId, range, granularity, timezone, today]);
  const isWaiting = fault === undefined;
  return useMemo(
    () => (
      <Line
        view={{ ...ofData.current, measure, isTable }}
        batch={data}
        at={at}
        again={again}
        isWaiting={isWaiting}
      />
    ),
    [scene, measure, isTable, data, at, isWaiting],
  );
}

/** The open lists, and countries in any case: the map shows them beside any list of places. */
function listsOf(view: View): readonly List[] {
  return [...new Set([...openLists(view), COUNTRIES])];
}

interface Questions {
  readonly lists: readonly List[];
  /** Whether the website may well wait for its first event still. */
  readonly isNew: boolean;
}

/** What the screen's call asks: the lists that were open when the range was chosen. One opened later asks for itself alone. */
function useQuestions(view: View): Questions {
  const asked = useRef<{ key: string; questions: Questions } | null>(null);
  const key = JSON.stringify([view.websiteId, view.range, view.granularity, view.timezone]);
  if (asked.current?.key !== key) {
    const createdAt = knownWebsite(view.websiteId)?.createdAt ?? 0;
    const isNew = new Date(createdAt).getTime() > Date.now() - NEW_MS;
    asked.current = { key, questions: { lists: listsOf(view), isNew } };
  }
  return asked.current.questions;
}

interface LineProps {
  readonly view: View;
  readonly batch: QueryBatch | undefined;
  /** When the batch came. */
  readonly at: number | undefined;
  readonly again: () => void;
  readonly isWaiting: boolean;
}

function Line({ view, batch, at = 0, again, isWaiting }: LineProps) {
  const answer = answerOf(batch, 'summary');
  if (answer === undefined) return <Series view={view} isWaiting={isWaiting} />;
  if (!answer.success) return <PartFailed answer={answer} again={again} />;
  const clock = { now: at, today: view.today };
  return (
    <Series
      view={view}
      isWaiting={isWaiting}
      buckets={bucketsOf(answer, view.granularity, clock, daysOf(view.range, view.today))}
    />
  );
}
