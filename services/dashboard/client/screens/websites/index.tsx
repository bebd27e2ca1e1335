/** The websites of the organization with their numbers over one range, and its totals: the first page after a login. */
import { useEffect, useRef } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import { may } from '../../api/session.ts';
import { useNow } from '../../api/use-now.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Definition } from '../../design/definition.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Pager } from '../../design/pager.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Empty } from '../../states/empty.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Told } from '../../states/told.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { QueryBatch } from '../../website/batch.ts';
import { dayIn } from '../../website/calendar.ts';
import { useKeptIds } from '../../website/kept-ids.ts';
import {
  batchOf,
  type CardRange,
  CSV_COLUMNS,
  cardRangeOf,
  csvRow,
  numbersOf,
  organizationOf,
  PAGE,
} from './card-numbers.ts';
import { ListControls, SORTS } from './list-controls.tsx';
import { Totals, WebsiteCard } from './website-card.tsx';
import { wholeFile } from './whole-file.ts';

/** A list that is longer than this, or goes on, is searched and sorted. */
const SMALL = 9;
/** A further pin takes the place of the oldest. */
const MOST_PINS = 9;
const REFRESH_SECONDS = 60;

interface WebsitePage {
  readonly data: readonly WebsiteView[];
  readonly nextCursor?: string;
}

export function Websites() {
  const t = texts.value;
  const { parameters } = useAddress();
  const { search, cursor } = parameters;
  const range = cardRangeOf(parameters.range);
  const sort = SORTS.find((each) => each === parameters.sort) ?? SORTS[0];
  const websites = useRead<WebsitePage>(
    {
      path: '/v1/websites',
      query: { limit: PAGE, sort, search: search || undefined, cursor: cursor || undefined },
    },
    { isKept: true },
  );
  const page = websites.data;
  const isSearched = Boolean(search);
  // What an earlier search found is no answer to whether there are any.
  const isWhole = !isSearched && !cursor && !websites.isOld;
  const isFirstRun = page?.data.length === 0 && page.nextCursor === undefined && isWhole;
  // Once there, the search stays: what is typed into it makes the list short.
  const wasLarge = useRef(false);
  wasLarge.current ||=
    isSearched || Boolean(cursor) || Boolean(page?.nextCursor) || (page?.data.length ?? 0) > SMALL;
  return (
    <>
      <PageHead title={t.words.websites} lead={isFirstRun ? undefined : <Lead />}>
        {may('manage:websites') && !isFirstRun && (
          <Button kind="primary" icon="plus" href={`${HOME}/websites/new`}>
            {t.websites.add}
          </Button>
        )}
      </PageHead>
      <Told />
      {!isFirstRun && <ListControls range={range} sort={wasLarge.current ? sort : undefined} />}
      <Loaded read={websites} lines={9}>
        {({ data, nextCursor }) => (
          <>
            {isFirstRun && <FirstRun />}
            {data.length === 0 && isSearched && (
              <Empty title={t.websites.noneFound} level={2}>
                {nextCursor !== undefined && <p>{t.websites.searchGoesOn}</p>}
              </Empty>
            )}
            {data.length > 0 && (
              <Cards
                // Numbers of another range are none of this one.
                key={range}
                websites={data}
                range={range}
                list={websites}
                whole={
                  cursor || nextCursor
                    ? () =>
                        wholeFile({ limit: PAGE, sort, search: search || undefined }, range, timezone.value)
                    : undefined
                }
              />
            )}
            <Pager nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface CardsProps {
  readonly websites: readonly WebsiteView[];
  readonly range: CardRange;
  readonly list: Pick<Read<WebsitePage>, 'isLoading' | 'again'>;
  /** Reads all that the search finds; absent: these are all. */
  readonly whole: (() => ReturnType<typeof wholeFile>) | undefined;
}

function Cards({ websites, range, list, whole }: CardsProps) {
  const now = useNow(REFRESH_SECONDS);
  const pins = useKeptIds('pins', MOST_PINS);
  const request = batchOf({ websites, range, now, timezone: timezone.value });
  const read = useRead<QueryBatch>(request, { everySeconds: REFRESH_SECONDS });
  // As of the answer: `now` moves on before the next one is there.
  const at = read.at ?? now;
  const numbers = read.data && numbersOf(read.data, at, dayIn(timezone.value, at));
  const isPinned = ({ id }: WebsiteView) => pins.has(id);
  const inOrder = [...websites.filter(isPinned), ...websites.filter((each) => !isPinned(each))];
  // One of them was deleted meanwhile, and the batch is refused as a whole: the list of those that are left is asked for.
  const isOneGone = read.fault?.code === 'ACCESS_DENIED';
  useEffect(() => {
    if (isOneGone) list.again();
  }, [read.fault]);
  return (
    <>
      {read.fault && !(isOneGone && list.isLoading) && (
        <FaultNotice
          fault={read.fault}
          at={read.data && read.at}
          repeatsAt={read.repeatsAt}
          again={read.again}
        />
      )}
      <Totals
        range={range}
        totals={read.data && organizationOf(read.data)}
        isWaiting={!read.data && read.isLoading}
      />
      <ul class="website-cards" aria-busy={read.isLoading && read.data === undefined}>
        {inOrder.map((website) => (
          <WebsiteCard
            key={website.id}
            website={website}
            range={range}
            numbers={numbers?.get(website.id)}
            now={now}
            pins={pins}
          />
        ))}
      </ul>
      {numbers && (
        <ExportActs
          title={texts.value.words.websites}
          file="websites"
          header={CSV_COLUMNS}
          rows={inOrder.map((website) => csvRow(website, numbers.get(website.id)))}
          whole={whole}
          request={request}
        />
      )}
    </>
  );
}

function Lead() {
  const t = texts.value.websites;
  return (
    <>
      {t.lead} <Definition term={t.numbers} text={t.definition} />
    </>
  );
}

function FirstRun() {
  const t = texts.value.websites.firstRun;
  return (
    <section class="card">
      <Empty title={t.title} level={2}>
        <p>{t.lead}</p>
        {may('manage:websites') ? (
          <Button kind="primary" icon="plus" href={`${HOME}/websites/new`}>
            {t.create}
          </Button>
        ) : (
          <p>{t.ask}</p>
        )}
      </Empty>
    </section>
  );
}
