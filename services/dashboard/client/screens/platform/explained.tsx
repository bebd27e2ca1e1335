/** What a request meets, said in the reader's language from what the API tells as data. */
import { Fragment } from 'preact';
import type { Read } from '../../api/use-read.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Worded } from '../../design/worded.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber, formatUntil } from '../../texts/format.ts';
import { countsText, subjectText, windowText } from '../../texts/limit-words.ts';
import { texts } from '../../texts/texts.ts';
import { Backend, codeColumn, numberColumn, wordColumn } from './columns.tsx';
import { placeOf } from './matching-routes.ts';
import { platformTexts } from './texts.ts';

type Data = PlatformData<'explain'>;
type Counts = NonNullable<NonNullable<Data['caller']>['limits']>;

/** What the API calls scopes, roles and kinds of callers; scopes have no other names. */
function named(what: string): string {
  const t = platformTexts.value;
  const names: Readonly<Record<string, string>> = { ...texts.value.words.roles, ...t.callers, ...t.admitted };
  return names[what] ?? what;
}

export function Explained({ read }: { read: Read<{ readonly data: Data }> }) {
  const { data, fault } = read;
  return (
    <>
      <p role="status">{data && !fault && <Outcome of={data.data} />}</p>
      {/* What a field of the form was refused for stands there. */}
      {!fault?.details.length && (
        <Loaded read={read} lines={8}>
          {({ data }) => <Meets data={data} />}
        </Loaded>
      )}
    </>
  );
}

function Outcome({ of: { method, path, status, allow, caller } }: { of: Data }) {
  const t = platformTexts.value;
  const { as, needs } = caller ?? {};
  const isRefused = as !== undefined && status !== 200;
  const refused: Readonly<Record<number, string>> = t.refusedWith;
  const outcome = isRefused
    ? t.refusedBy(status)
    : (refused[status] ?? (as === undefined ? t.answered : t.letIn));
  return (
    <>
      <code>{`${method} ${path}`}</code> <strong>{outcome}</strong>{' '}
      {allow.length > 0 && <code>{allow.join(', ')}</code>}
      {as !== undefined && named(as)} {needs && t.lacks(needs.split(' or ').map(named).join(t.or))}
    </>
  );
}

function ruleText(admissions: Data['admissions']): string {
  const t = platformTexts.value;
  return admissions
    .map(({ needs, under }) => needs.map(named).join(' + ') + (under === null ? '' : ` ${t.under(under)}`))
    .join(t.or);
}

function Meets({ data }: { data: Data }) {
  const t = platformTexts.value;
  const { caller, numbers, moreNumbers } = data;
  return (
    <>
      {caller?.limits && <CountsNow limits={caller.limits} />}
      {caller && <p class="hint">{t.countsHint}</p>}
      <dl class="facts">
        <dt>{t.endpoint}</dt>
        <dd>
          <code>{data.endpoint}</code> {data.pattern !== null && <code class="soft">{data.pattern}</code>}{' '}
          <code class="small soft">{placeOf(data)}</code>
        </dd>
        <dt>{t.rule}</dt>
        <dd>{ruleText(data.admissions)}</dd>
        <dt>{t.service}</dt>
        <dd>
          {data.service === null ? (
            t.answeredHere
          ) : (
            <>
              <code>{data.service.name}</code>{' '}
              {data.service.urls?.map((address) => (
                <Fragment key={address}>
                  <Backend address={address} />{' '}
                </Fragment>
              ))}
            </>
          )}
        </dd>
      </dl>
      {numbers.length > 0 && (
        <Table
          caption={t.limits}
          rows={numbers.map((number, index) => ({ ...number, index }))}
          rowKey={({ index }) => index}
          columns={[
            {
              key: 'name',
              title: t.limit,
              cell: ({ name, enforced }) => (
                <>
                  <code>{name}</code> {!enforced && <span class="badge">{t.inShadow}</span>}
                </>
              ),
            },
            codeColumn('of', t.whose),
            { key: 'callers', title: t.as, cell: ({ callers }) => t.limited[callers] },
            numberColumn('limit', t.most),
            wordColumn('counts', t.counts, countsText),
            wordColumn('window', t.window, windowText),
            wordColumn('per', t.per, subjectText),
          ]}
          stacks
        />
      )}
      {moreNumbers > 0 && <p class="hint">{t.moreNumbers(formatNumber(moreNumbers))}</p>}
      <Table
        caption={t.policies}
        rows={data.policies.map((policy, index) => ({ ...policy, index }))}
        rowKey={({ index }) => index}
        columns={[
          codeColumn('policy', t.policy),
          {
            key: 'settings',
            title: t.settings,
            cell: ({ settings }) =>
              Object.keys(settings).length === 0 ? '–' : <code>{JSON.stringify(settings)}</code>,
          },
          {
            key: 'does',
            title: t.does,
            cell: ({ does }) => (does ? <Worded text={t.doing(does) ?? { english: does }} /> : '–'),
          },
          {
            key: 'when',
            title: t.when,
            cell: ({ conditional }) => (conditional ? t.conditional : t.always),
          },
        ]}
        stacks
      />
    </>
  );
}

/** What counts now of the limits that bind a caller. */
function CountsNow({ limits }: { limits: Counts }) {
  const t = platformTexts.value;
  return (
    <Table
      caption={t.countsNow}
      rows={limits}
      rowKey={({ name, window, subject }) => `${name} ${window} ${subject}`}
      columns={[
        codeColumn('name', t.limit),
        codeColumn('subject', t.whose),
        wordColumn('window', t.window, windowText),
        wordColumn('counts', t.counts, countsText),
        numberColumn('used', t.used),
        numberColumn('remaining', t.remaining),
        numberColumn('limit', t.of),
        {
          key: 'reset',
          title: t.resets,
          cell: ({ reset }) => (reset === null ? '–' : <Instant at={reset} text={formatUntil(reset)} />),
        },
      ]}
      stacks
    />
  );
}
