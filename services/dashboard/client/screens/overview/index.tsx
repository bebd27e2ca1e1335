/** The overview of a website: totals, the line over time, and what they are made of, in one call. */
import { useMemo, useRef } from 'preact/hooks';
import { usePathPart } from '../../address.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import { knownWebsite } from '../../api/websites.ts';
import { PartFailed } from '../../states/part-failed.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { Unloaded } from '../../states/unloaded.tsx';
import { useOldClass } from '../../states/use-old.ts';
import { usePart } from '../../states/use-part.ts';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { type KeptIds, useKeptIds } from '../../website/kept-ids.ts';
import { daysOf } from '../../website/range.ts';
import { sceneKey } from '../../website/scene.ts';
import { websitePath } from '../../website/website-links.ts';
import { hasCome, useWebsiteOfPath, WebsiteScreen } from '../../website/website-screen.tsx';
import { Active } from './active.tsx';
import { bucketsOf, eventsOf } from './model.ts';
import { NoEvents } from './no-events.tsx';
import { COUNTRIES, type List, PANELS, shownPanels } from './panels.ts';
import { EVER, screenRequest } from './questions.ts';
import { Series } from './series.tsx';
import { Tiles } from './tiles.tsx';
import { useView, type View } from './use-view.ts';

/** How long after its making a website may well wait for its first event: a week, in milliseconds. */
const NEW_MS = 7 * 86_400_000;

const loadPanels = () => import('./panels/panel-grid.tsx');

export function Overview() {
  const websiteId = usePathPart('websiteId');
  const view = useView(websiteId);
  const away = useKeptIds('away', PANELS.length);
  const { lists, isNew } = useQuestions(view, away);
  const read = useRead<QueryBatch>(screenRequest(view, lists, isNew));
  const of = useWebsiteOfPath(read.fault);
  const panels = usePart<typeof import('./panels/panel-grid.tsx')>(loadPanels, hasCome(read));
  const line = useLine(view, read);
  const totals = answerOf(read.data, 'summary_metrics');
  const isEmpty = totals?.success === true && eventsOf(totals) === 0;
  return (
    <WebsiteScreen
      scene={view}
      read={read}
      of={of}
      lead={
        <>
          <Active view={view} batch={read.data} hasEnded={!read.isLoading} />
          <a class="screen-only" href={websitePath(websiteId, 'sharing')}>
            {texts.value.overview.sharing}
          </a>
        </>
      }
    >
      <div class="overview stack" aria-busy={read.isLoading}>
        <div class={`card stack numbers ${useOldClass(read.isOld)}`}>
          {totals?.success === false ? (
            <PartFailed answer={totals} again={read.again} />
          ) : (
            <Tiles view={view} totals={totals} isWaiting={totals === undefined && read.fault === undefined} />
          )}
          {isEmpty ? (
            <NoEvents
              view={view}
              ever={answerOf(read.data, 'summary_metrics', EVER)}
              createdAt={of.summary?.createdAt}
              isComing={of.website.isLoading || read.isLoading}
            />
          ) : (
            line
          )}
          {view.hasNotes && <NotesPlace view={view} />}
        </div>
        {!isEmpty && panels && <panels.PanelGrid view={view} read={read} lists={lists} away={away} />}
        {!isEmpty && panels === undefined && <PanelsToCome away={away} />}
        {!isEmpty && panels === null && <Unloaded />}
      </div>
    </WebsiteScreen>
  );
}

const loadNotes = () => import('./notes/notes.tsx');

function NotesPlace({ view: { websiteId, today } }: { view: View }) {
  const notes = usePart<typeof import('./notes/notes.tsx')>(loadNotes);
  if (notes === null) return <Unloaded />;
  return notes ? <notes.Notes websiteId={websiteId} today={today} /> : <Skeleton lines={3} />;
}

/** As wide as the name of a list usually is. */
const MIDDLING = 'Systems';

/** The places of the panels until their script is there, as high as what comes. */
function PanelsToCome({ away }: { away: KeptIds }) {
  return (
    <div class="panels">
      {shownPanels(away).map(({ key, lists }) => (
        <div key={key} class={`card panel panel-${key}`}>
          <div class="row panel-head to-come" aria-hidden="true">
            <h2>{key}</h2>
          </div>
          <div class="panel-body">
            {key === 'places' && <div class="world-place" />}
            <div class="stack">
              {lists.length > 1 && (
                <div class="tabs to-come" aria-hidden="true">
                  {lists.map(({ dataset }) => (
                    <button key={dataset} type="button">
                      {MIDDLING}
                    </button>
                  ))}
                </div>
              )}
              <div class="rows">
                <Skeleton lines={10} />
              </div>
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}

/**
 * The line over time. While numbers of another range come, it stays as it was drawn: its buckets are those of the range before, and to
 * draw them once more would only delay what somebody pressed.
 */
function useLine(view: View, { data, at, fault, isOld, again }: Read<QueryBatch>) {
  const ofData = useRef(view);
  if (!isOld) ofData.current = view;
  const { measure, isTable, hasNotes } = view;
  const scene = sceneKey(ofData.current) + ofData.current.today;
  const isWaiting = fault === undefined;
  return useMemo(
    () => (
      <Line
        view={{ ...ofData.current, measure, isTable, hasNotes }}
        batch={data}
        at={at}
        again={again}
        isWaiting={isWaiting}
      />
    ),
    [scene, measure, isTable, hasNotes, data, at, isWaiting],
  );
}

/** The open lists, and countries beside any list of places, for the map. */
function listsOf(view: View, away: KeptIds): readonly List[] {
  const open = shownPanels(away).map((panel) => view.listOf(panel));
  return [...new Set(away.has('places') ? open : [...open, COUNTRIES])];
}

interface Questions {
  readonly lists: readonly List[];
  /** Whether the website may well wait for its first event still. */
  readonly isNew: boolean;
}

/**
 * What the screen's call asks: the lists that were open when the range was chosen. One opened later asks for itself alone; a panel that is
 * brought back, of which nothing was asked, is asked for with all that is shown.
 */
function useQuestions(view: View, away: KeptIds): Questions {
  const asked = useRef<{ key: string; questions: Questions } | null>(null);
  const key = sceneKey(view);
  const isLacking = shownPanels(away).some(
    ({ lists }) => !lists.some((list) => asked.current?.questions.lists.includes(list)),
  );
  if (asked.current?.key !== key || isLacking) {
    const createdAt = knownWebsite(view.websiteId)?.createdAt ?? 0;
    const isNew = new Date(createdAt).getTime() > Date.now() - NEW_MS;
    asked.current = { key, questions: { lists: listsOf(view, away), isNew } };
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
