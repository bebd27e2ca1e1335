/** What organizations use, in numbers, page by page. */
import { addressOf, useAddress } from '../../address.ts';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant, formatNumber } from '../../texts/format.ts';
import { codeColumn, numberColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

export function OrganizationsView() {
  const t = platformTexts.value;
  const { path, parameters } = useAddress();
  return (
    <Loaded read={useView('organizations', { after: parameters.after })} lines={12}>
      {({ data: { organizations, next } }) => (
        <>
          <Table
            caption={t.views.organizations}
            rows={organizations}
            rowKey={({ id }) => id}
            columns={[
              codeColumn('id', t.organization),
              codeColumn('plan', t.plan),
              numberColumn('websites', t.websites),
              {
                key: 'requests',
                title: t.monthRequests,
                isNumber: true,
                cell: ({ usage }) => formatNumber(usage.requests),
              },
              {
                key: 'events',
                title: t.monthEvents,
                isNumber: true,
                cell: ({ usage }) => formatNumber(usage.events),
              },
              {
                key: 'limited',
                title: t.limitedToday,
                isNumber: true,
                cell: ({ lastDay }) => formatNumber(lastDay.limited ?? 0),
              },
              {
                key: 'createdAt',
                title: t.since,
                cell: ({ createdAt }) => <Instant at={createdAt} text={formatInstant(createdAt)} />,
              },
            ]}
          />
          <p class="row">
            {parameters.after !== undefined && (
              <a href={addressOf(path, { view: 'organizations' })}>{t.first}</a>
            )}
            {next !== null && <a href={addressOf(path, { view: 'organizations', after: next })}>{t.more}</a>}
          </p>
        </>
      )}
    </Loaded>
  );
}
