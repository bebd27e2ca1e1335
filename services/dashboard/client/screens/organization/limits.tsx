/** The plan and every limit that binds, as they are; whoever may read the organization sees which of them are its own. */
import { HOME } from '../../address.ts';
import type { Session } from '../../api/session.ts';
import type { OwnOrganization } from '../../api/wire.ts';
import { Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { type LimitName, originOf } from './origin-of.ts';

interface LimitsProps {
  readonly active: Session['active'];
  /** Absent: the role may not know. */
  readonly ownLimits?: OwnOrganization['ownLimits'];
}

export function Limits({ active, ownLimits }: LimitsProps) {
  const t = texts.value.organization;
  // A server of an earlier version says nothing of limits that it does not have.
  const rows = (Object.keys(t.limits) as LimitName[]).map((name) => ({
    name,
    value: active.limits[name] ?? null,
  }));
  const columns = [
    { key: 'limit', title: t.limit, cell: ({ name }: { name: LimitName }) => t.limits[name] },
    {
      key: 'value',
      title: t.value,
      isNumber: true,
      cell: ({ value }: { value: number | null }) => (value === null ? t.noLimit : formatNumber(value)),
    },
  ];
  const origin = {
    key: 'origin',
    title: t.origin,
    cell: ({ name }: { name: LimitName }) => {
      const from = originOf(name, ownLimits ?? []);
      return from === 'own' ? <span class="badge good">{t.origins.own}</span> : t.origins[from];
    },
  };
  return (
    <section class="card stack">
      <div class="row spread">
        <h2>{t.planTitle}</h2>
        <p>
          {t.plan}:{' '}
          <strong>
            <bdi>{active.plan}</bdi>
          </strong>
        </p>
      </div>
      <p class="hint">
        {t.planHint} <a href={`${HOME}/organization/limits`}>{texts.value.limits.now}</a>
      </p>
      <Table
        caption={t.planTitle}
        rows={rows}
        rowKey={({ name }) => name}
        columns={ownLimits === undefined ? columns : [...columns, origin]}
      />
      {ownLimits !== undefined && (
        <>
          <p class="hint">{t.originsHint}</p>
          <ExportActs
            title={t.planTitle}
            file="limits"
            header={['limit', 'value', 'origin']}
            rows={rows.map(({ name, value }) => [name, value, originOf(name, ownLimits)])}
            request={{ path: '/v1/organization' }}
          />
        </>
      )}
    </section>
  );
}
