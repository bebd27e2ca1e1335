/** What is left of every limit, as the gateway counts it now; it asks again while somebody looks. */
import { useEffect, useRef } from 'preact/hooks';
import { HOME } from '../../address.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { useNow } from '../../api/use-now.ts';
import { useRead } from '../../api/use-read.ts';
import type { LimitInForce } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, formatUntil } from '../../texts/format.ts';
import { countsText, windowText } from '../../texts/limit-words.ts';
import { texts } from '../../texts/texts.ts';
import { KeyName } from '../requests/key-name.tsx';
import { requestsTexts } from '../requests/texts.ts';

const REQUEST = { path: '/v1/usage/limits' };
const EVERY_SECONDS = 10;
/** Less than a fifth is left. */
const NEAR_SHARE = 0.8;
const EXPORTED = ['name', 'window', 'counts', 'used', 'remaining', 'limit', 'reset', 'key'] as const;

type Names = ReadonlyMap<string, string>;

interface Answer {
  readonly data: readonly LimitInForce[];
  readonly moreKeys: boolean;
}

export function LimitsLeft() {
  const t = texts.value.limits;
  const read = useRead<Answer>(REQUEST);
  useEvery(EVERY_SECONDS, read.again);
  const keys = useKeyNames(read.data?.data.some(({ key }) => key !== null) ?? false);
  // What is told of resets goes on in between.
  useNow(1);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <section class="card stack">
        <Loaded read={read} lines={10}>
          {({ data, moreKeys }) => (
            <>
              <NearKeys limits={data} names={keys} />
              <Table
                caption={t.title}
                rows={data}
                rowKey={({ name, window, key }) => `${name} ${window} ${key}`}
                columns={columns(keys)}
                stacks
              />
              {moreKeys && <p class="hint">{t.moreKeys}</p>}
              <p class="hint">{t.hint}</p>
              <div class="row spread">
                <span class="row">
                  <a href={`${HOME}/organization`}>{t.back}</a>
                  <a href={`${HOME}/organization/requests`}>{requestsTexts.value.link}</a>
                </span>
                <ExportActs
                  title={t.title}
                  file="limits-left"
                  header={EXPORTED}
                  rows={data.map((limit) => EXPORTED.map((name) => limit[name]))}
                  request={REQUEST}
                  isOfSession
                />
              </div>
            </>
          )}
        </Loaded>
      </section>
    </>
  );
}

function columns(keys: Names): Column<LimitInForce>[] {
  const t = texts.value.limits;
  const number = (key: 'used' | 'remaining' | 'limit', title: string) => ({
    key,
    title,
    isNumber: true,
    cell: (limit: LimitInForce) => formatNumber(limit[key]),
  });
  return [
    { key: 'name', title: t.limit, cell: (limit) => <Name limit={limit} keys={keys} /> },
    {
      key: 'window',
      title: t.window,
      cell: ({ counts, window }) => t.per(countsText(counts), windowText(window)),
    },
    {
      key: 'bar',
      title: t.share,
      cell: ({ name, used, limit }) => (
        <meter
          max={limit}
          low={limit / 2}
          high={limit * NEAR_SHARE}
          optimum={0}
          value={Math.min(used, limit)}
          aria-label={`${t.names[name] ?? name}: ${t.share}`}
        />
      ),
    },
    number('used', t.used),
    number('remaining', t.left),
    number('limit', t.of),
    {
      key: 'reset',
      title: t.resets,
      cell: ({ reset }) => (reset === null ? t.unused : <Instant at={reset} text={formatUntil(reset)} />),
    },
  ];
}

/** Keys that have little left of a budget of their own; nothing where no key has one. */
function NearKeys({ limits, names }: { limits: readonly LimitInForce[]; names: Names }) {
  const t = texts.value.limits;
  const ofKeys = limits.filter(({ key, enforced }) => key !== null && enforced);
  const near = ofKeys.filter(({ used, limit }) => used > limit * NEAR_SHARE);
  if (ofKeys.length === 0) return null;
  return (
    <Notice kind={near.length === 0 ? 'good' : 'warn'}>
      {near.length === 0 ? t.noKeyNear : t.keysNear}{' '}
      {near.map(({ key, name, window, remaining, limit }) => (
        <span key={`${key} ${name} ${window}`}>
          {key !== null && <KeyName id={key} names={names} />} ({t.names[name] ?? name}:{' '}
          {formatNumber(remaining)}/{formatNumber(limit)}){' '}
        </span>
      ))}
    </Notice>
  );
}

/** Limits of the platform's own are shown by the name that they have in its configuration. */
function Name({ limit, keys }: { limit: LimitInForce; keys: Names }) {
  const { name, key, session, enforced, remaining } = limit;
  const t = texts.value.limits;
  return (
    <>
      {t.names[name] ?? <code>{name}</code>}
      {key !== null && (
        <>
          {' '}
          <span class="small">
            <KeyName id={key} names={keys} />
          </span>
        </>
      )}
      {session !== null && <span class="soft small"> {t.yourSession}</span>}
      {!enforced && <span class="badge"> {t.inShadow}</span>}
      {enforced && remaining === 0 && <span class="badge bad"> {t.usedUp}</span>}
    </>
  );
}

/** Calls `act` every so many seconds while the tab is seen, but not at once. */
function useEvery(seconds: number, act: () => void): void {
  const now = useNow(seconds);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else act();
  }, [now]);
}
