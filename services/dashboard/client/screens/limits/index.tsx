/** What is left of every limit, as the gateway counts it now; it asks again while somebody looks. */
import { useEffect, useRef } from 'preact/hooks';
import { HOME } from '../../address.ts';
import { useNow } from '../../api/use-now.ts';
import { useRead } from '../../api/use-read.ts';
import type { LimitInForce } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, formatUntil } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { requestsTexts } from '../requests/texts.ts';

const REQUEST = { path: '/v1/usage/limits' };
const EVERY_SECONDS = 10;
const EXPORTED = ['name', 'window', 'counts', 'used', 'remaining', 'limit', 'reset', 'key'] as const;

interface Answer {
  readonly data: readonly LimitInForce[];
  readonly moreKeys: boolean;
}

export function LimitsLeft() {
  const t = texts.value.limits;
  const read = useRead<Answer>(REQUEST);
  useEvery(EVERY_SECONDS, read.again);
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <section class="card stack">
        <Loaded read={read} lines={10}>
          {({ data, moreKeys }) => (
            <>
              <Table
                caption={t.title}
                rows={data}
                rowKey={({ name, window, key }) => `${name} ${window} ${key}`}
                columns={columns()}
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

function columns(): Column<LimitInForce>[] {
  const t = texts.value.limits;
  const number = (key: 'used' | 'remaining' | 'limit', title: string) => ({
    key,
    title,
    isNumber: true,
    cell: (limit: LimitInForce) => formatNumber(limit[key]),
  });
  return [
    { key: 'name', title: t.limit, cell: (limit) => <Name {...limit} /> },
    {
      key: 'window',
      title: t.window,
      cell: ({ counts, window }) => t.per(t.units[counts] ?? counts, window),
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

/** Limits of the platform's own are shown by the name that they have in its configuration. */
function Name({ name, key, session, enforced, remaining }: LimitInForce) {
  const t = texts.value.limits;
  return (
    <>
      {t.names[name] ?? <code>{name}</code>}
      {key !== null && (
        <>
          {' '}
          <code class="small">{key}</code>
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
