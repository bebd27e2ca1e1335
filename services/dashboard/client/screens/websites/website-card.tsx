/** A website on a card: its name and domain, its numbers over the range, and when the last event came. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { addressOf, HOME } from '../../address.ts';
import { may } from '../../api/session.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Icon } from '../../design/icon.tsx';
import { formatAgo, formatBucket, formatCompact, formatNumber, formatTime } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { Change } from '../../website/change.tsx';
import type { KeptIds } from '../../website/kept-ids.ts';
import {
  CARD_RANGES,
  type CardNumbers,
  type CardRange,
  type Compared,
  isIncomplete,
  type LastEvent,
  type LinePoint,
  TOTALS_SHOWN,
} from './card-numbers.ts';

interface WebsiteCardProps {
  readonly website: WebsiteView;
  readonly range: CardRange;
  /** Undefined while they are asked for. */
  readonly numbers: CardNumbers | undefined;
  readonly now: number;
  readonly pins: KeptIds;
}

export function WebsiteCard({ website, range, numbers, now, pins }: WebsiteCardProps) {
  const t = texts.value.websites;
  const { id, name, domain } = website;
  const path = `${HOME}/websites/${encodeURIComponent(id)}`;
  const pin = useRef<HTMLButtonElement>(null);
  const isPinned = pins.has(id);
  const wasPinned = useRef(isPinned);
  // Its card moved, and took the focus away from it.
  useLayoutEffect(() => {
    if (wasPinned.current !== isPinned && document.activeElement === document.body) pin.current?.focus();
    wasPinned.current = isPinned;
  }, [isPinned]);
  return (
    <li class="card website-card">
      <div class="head">
        <h2>
          <a href={range === CARD_RANGES[0] ? path : addressOf(path, { range })}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        <div class="acts screen-only">
          <button
            ref={pin}
            type="button"
            class="button plain"
            aria-pressed={isPinned}
            onClick={() => pins.toggle(id)}
          >
            <Icon name="pin" />
            <span class="unseen">
              {t.pin} <bdi>{name}</bdi>
            </span>
          </button>
          {may('manage:websites') && (
            <a class="button plain" href={`${path}/settings`}>
              <Icon name="settings" />
              <span class="unseen">
                {t.settings}: <bdi>{name}</bdi>
              </span>
            </a>
          )}
        </div>
        <p class="soft small">
          <bdi>{domain}</bdi>
        </p>
      </div>
      <dl class="figures">
        <Figure name={t.totals.visitors} value={numbers?.visitors} />
        <Figure name={t.totals.pageviews} value={numbers?.pageviews} />
      </dl>
      <div class="line">
        {numbers?.line && <Sparkline points={numbers.line} label={lineInWords(numbers.line, range)} />}
      </div>
      <p class="small soft last">
        {numbers && isIncomplete(numbers) ? (
          <span class="failed">
            <Icon name="triangle-alert" /> {texts.value.states.oneFailed}
          </span>
        ) : (
          <Latest lastEvent={numbers?.lastEvent} now={now} id={id} />
        )}
      </p>
    </li>
  );
}

interface TotalsProps {
  readonly range: CardRange;
  /** Undefined: they are to come, or could not be computed. */
  readonly totals: readonly Compared[] | undefined;
  readonly isWaiting: boolean;
}

/** What all websites of the organization have together. */
export function Totals({ range, totals, isWaiting }: TotalsProps) {
  const t = texts.value.websites;
  return (
    <section class="card website-totals" aria-busy={isWaiting}>
      <h2 class="small">
        {t.all}: {texts.value.overview.presets[range]}
      </h2>
      <dl class="figures">
        {TOTALS_SHOWN.map((name, index) => (
          <Figure key={name} name={t.totals[name]} value={totals?.[index]} />
        ))}
      </dl>
    </section>
  );
}

function Figure({ name, value }: { name: string; value: Compared | undefined }) {
  return (
    <div>
      <dt class="small soft">{name}</dt>
      <dd class="number" title={value && formatNumber(value.now)}>
        {value ? formatCompact(value.now) : '–'}
      </dd>
      <dd class="small soft">{value ? <Change {...value} /> : '\u00a0'}</dd>
    </div>
  );
}

interface LatestProps {
  readonly lastEvent: LastEvent | undefined;
  readonly now: number;
  readonly id: string;
}

function Latest({ lastEvent, now, id }: LatestProps) {
  const t = texts.value.websites;
  // Not yet known: a space keeps the line's height.
  if (lastEvent === undefined) return <>{'\u00a0'}</>;
  if (lastEvent === 'some') return <>{t.someEvent}</>;
  if (lastEvent === 'silent') return <>{t.silent}</>;
  if (lastEvent === 'never') {
    return (
      <>
        {texts.value.states.noEvent}
        {may('manage:websites') && (
          <>
            {' · '}
            <a href={addressOf(`${HOME}/websites/new`, { website: id })}>{t.install}</a>
          </>
        )}
      </>
    );
  }
  return <time dateTime={lastEvent.at}>{t.lastEvent(formatAgo(lastEvent.at, now))}</time>;
}

/** What the line shows, for those who do not see it. */
function lineInWords(line: readonly LinePoint[], range: CardRange): string {
  const t = texts.value.websites;
  const values = line.map(({ value }) => value);
  const most = Math.max(...values);
  const top = line.find(({ value }) => value === most);
  if (most === 0 || top === undefined) return t.noVisitors;
  const [least, highest] = [formatNumber(Math.min(...values)), formatNumber(most)];
  return range === CARD_RANGES[0]
    ? t.hours(least, highest, formatTime(top.at))
    : t.days(least, highest, formatBucket(top.date, 'daily'));
}
