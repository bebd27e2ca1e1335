/** What the organization used, month by month. */
import type { OwnOrganization } from '../../api/wire.ts';
import { Definition } from '../../design/definition.tsx';
import { Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { formatBucket, formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';

export function Usage({ months }: { months: OwnOrganization['usage']['months'] }) {
  const t = texts.value.organization;
  return (
    <section class="card stack">
      <div class="row">
        <h2>{t.usageTitle}</h2>
        <Definition term={t.usageTitle} text={t.usageMeaning} />
      </div>
      <p class="hint">{t.usageHint}</p>
      <Table
        caption={t.usageTitle}
        rows={months}
        rowKey={({ month }) => month}
        columns={[
          { key: 'month', title: t.month, cell: ({ month }) => formatBucket(`${month}-01`, 'monthly') },
          {
            key: 'requests',
            title: t.requests,
            isNumber: true,
            cell: ({ requests }) => formatNumber(requests),
          },
          { key: 'events', title: t.events, isNumber: true, cell: ({ events }) => formatNumber(events) },
        ]}
      />
      <ExportActs
        title={t.usageTitle}
        file="usage"
        header={['month', 'requests', 'events']}
        rows={months.map(({ month, requests, events }) => [month, requests, events])}
        request={{ path: '/v1/organization' }}
      />
    </section>
  );
}
