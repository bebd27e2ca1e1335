/** Audit records as a table, each told in words. */
import { addressOf, HOME } from '../../address.ts';
import type { AuditRecordView } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { formatList } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { actorIdOf, isWhole, type Names, sentenceOf } from './names.ts';

interface RecordsProps {
  readonly records: readonly AuditRecordView[];
  readonly names: Names;
}

export function Records({ records, names }: RecordsProps) {
  const t = texts.value.audit;
  return (
    <Table
      caption={t.title}
      rows={records}
      rowKey={({ id }) => id}
      stacks
      columns={[
        { key: 'when', title: t.when, cell: ({ at }) => <Instant at={at} /> },
        { key: 'who', title: t.who, cell: (record) => <Actor record={record} names={names} /> },
        { key: 'what', title: t.what, cell: (record) => <Deed record={record} names={names} /> },
        { key: 'from', title: t.from, cell: (record) => <Origin record={record} /> },
      ]}
    />
  );
}

function Actor({ record, names }: { record: AuditRecordView; names: Names }) {
  const t = texts.value.audit;
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
  const t = texts.value.audit;
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
          <bdi>{whatOf(record)}</bdi>
        </p>
      )}
    </>
  );
}

/** Which fields, or of an import how many events. */
function whatOf({ action, fields }: AuditRecordView): string {
  const t = texts.value.audit;
  const events = action === 'events.import' ? /^(\d+) events$/.exec(fields[0] ?? '')?.[1] : undefined;
  return events === undefined ? t.fields(formatList(fields)) : t.events(Number(events));
}

function Named({ name }: { name: string }) {
  return (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
}

function Origin({ record }: { record: AuditRecordView }) {
  const t = texts.value.audit;
  if (record.address === null) return <span class="soft">{t.local}</span>;
  return (
    <bdi class="mono" title={record.requestId === null ? undefined : t.request(record.requestId)}>
      {record.address}
    </bdi>
  );
}
