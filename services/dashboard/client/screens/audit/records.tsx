/** Audit records as a table, each told in words. */
import { Fragment } from 'preact';
import { addressOf, HOME } from '../../address.ts';
import type { AuditRecordView } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { actorIdOf, isWhole, type Names, sentenceOf } from './names.ts';
import { auditTexts } from './texts.ts';

interface RecordsProps {
  readonly records: readonly AuditRecordView[];
  readonly names: Names;
  /** `at`, the oldest first, or `-at`. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function Records({ records, names, sort, onSort }: RecordsProps) {
  const t = auditTexts.value;
  return (
    <Table
      caption={t.title}
      rows={records}
      rowKey={({ id }) => id}
      sort={sort}
      onSort={onSort}
      stacks
      columns={[
        { key: 'when', title: t.when, sort: 'at', cell: ({ at }) => <Instant at={at} /> },
        { key: 'who', title: t.who, cell: (record) => <Actor record={record} names={names} /> },
        { key: 'what', title: t.what, cell: (record) => <Deed record={record} names={names} /> },
        { key: 'from', title: t.from, cell: (record) => <Origin record={record} /> },
      ]}
    />
  );
}

function Actor({ record, names }: { record: AuditRecordView; names: Names }) {
  const t = auditTexts.value;
  const { kind } = record.actor;
  const id = actorIdOf(record);
  if (kind === 'public') return <>{t.public}</>;
  const known = names.get(id);
  const shown = { cli: t.commandLine, key: t.key(known ?? id), session: known ?? id }[kind];
  return (
    <a href={addressOf(`${HOME}/audit`, { who: id })} title={t.onlyOf(shown)}>
      <bdi>{shown}</bdi>
    </a>
  );
}

function Deed({ record, names }: { record: AuditRecordView; names: Names }) {
  const t = auditTexts.value;
  const { action, targetId, fields } = record;
  const named = names.get(targetId);
  return (
    <>
      <p title={targetId}>
        <bdi>{sentenceOf(action, t.actions)}</bdi>{' '}
        {!isWhole(action) &&
          (named === undefined ? <code class="soft">{targetId}</code> : <Named name={named} />)}
      </p>
      {fields.length > 0 && (
        <p class="soft small">
          <What record={record} />
        </p>
      )}
    </>
  );
}

/** Which fields, or of an import how many events. */
function What({ record: { action, fields } }: { record: AuditRecordView }) {
  const t = auditTexts.value;
  const events = action === 'events.import' ? /^(\d+) events$/.exec(fields[0] ?? '')?.[1] : undefined;
  if (events !== undefined) return <>{t.events(Number(events))}</>;
  return (
    <>
      {t.fields}{' '}
      {fields.map((field, index) => (
        <Fragment key={field}>
          {index > 0 && ', '}
          <FieldName of={field} />
        </Fragment>
      ))}
    </>
  );
}

/** In words; its name in the API, by which the search finds it, stands in the title, or in place of words that it has not. */
function FieldName({ of: field }: { of: string }) {
  const { fieldNames } = auditTexts.value;
  if (!Object.hasOwn(fieldNames, field)) return <code>{field}</code>;
  return <span title={field}>{fieldNames[field]}</span>;
}

function Named({ name }: { name: string }) {
  return (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
}

function Origin({ record }: { record: AuditRecordView }) {
  const t = auditTexts.value;
  if (record.address === null) return <span class="soft">{t.local}</span>;
  return (
    <bdi class="mono" title={record.requestId === null ? undefined : t.request(record.requestId)}>
      {record.address}
    </bdi>
  );
}
