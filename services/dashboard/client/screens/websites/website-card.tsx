/** A website on a card: its name and domain, the last 24 hours, and when the last event came. */
import { addressOf, HOME } from '../../address.ts';
import { may } from '../../api/session.ts';
import type { WebsiteView } from '../../api/wire.ts';
import type { SparkPoint } from '../../charts/spark-path.ts';
import { Sparkline } from '../../charts/sparkline.tsx';
import { Icon } from '../../design/icon.tsx';
import { formatAgo, formatCompact, formatNumber, formatTime } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { type CardNumbers, isIncomplete, type LastEvent } from './card-numbers.ts';

interface WebsiteCardProps {
  readonly website: WebsiteView;
  /** Undefined while they are asked for. */
  readonly numbers: CardNumbers | undefined;
  readonly now: number;
}

export function WebsiteCard({ website: { id, name, domain }, numbers, now }: WebsiteCardProps) {
  const t = texts.value.websites;
  const path = `${HOME}/websites/${encodeURIComponent(id)}`;
  return (
    <li class="card website-card">
      <div class="head">
        <h2>
          <a href={path}>
            <bdi>{name}</bdi>
          </a>
        </h2>
        {may('manage:websites') && (
          <a class="button plain screen-only" href={`${path}/settings`}>
            <Icon name="settings" />
            <span class="unseen">
              {t.settings}: <bdi>{name}</bdi>
            </span>
          </a>
        )}
        <p class="soft small">
          <bdi>{domain}</bdi>
        </p>
      </div>
      <dl class="figures">
        <Figure name={t.visitors} value={numbers?.visitors} />
        <Figure name={t.pageviews} value={numbers?.pageviews} />
      </dl>
      <div class="line">
        {numbers?.hours && <Sparkline points={numbers.hours} label={hoursInWords(numbers.hours)} />}
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

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <div>
      <dt class="small soft">{name}</dt>
      <dd class="number" title={value === undefined ? undefined : formatNumber(value)}>
        {value === undefined ? '–' : formatCompact(value)}
      </dd>
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
function hoursInWords(hours: readonly SparkPoint[]): string {
  const t = texts.value.websites;
  const values = hours.map(({ value }) => value);
  const most = Math.max(...values);
  const at = hours.find(({ value }) => value === most)?.at;
  if (most === 0 || at === undefined) return t.noVisitors;
  return t.hours(formatNumber(Math.min(...values)), formatNumber(most), formatTime(at));
}
