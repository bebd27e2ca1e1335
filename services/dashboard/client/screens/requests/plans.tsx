/** What larger plans would have admitted of what the plan refused. */
import { addressOf } from '../../address.ts';
import type { SlotRangeName } from '../../api/activity-points.ts';
import { useRead } from '../../api/use-read.ts';
import type { PlanAdmission } from '../../api/wire.ts';
import { Table } from '../../design/table.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber } from '../../texts/format.ts';
import { requestsTexts } from './texts.ts';

const NUMBERS = ['per10Seconds', 'perMinute', 'perDay', 'perMonth'] as const;

/** Counts by minute go back a day at most. */
export function Plans({ range }: { range: SlotRangeName }) {
  const t = requestsTexts.value;
  const known = range === 'hour' ? 'hour' : 'day';
  const request = { path: addressOf('/v1/usage/plans', { range: known }) };
  const number = (value: number | null) => (value === null ? t.noQuota : formatNumber(value));
  return (
    <Loaded read={useRead<{ data: PlanAdmission }>(request)} lines={6}>
      {({ data }) => (
        <>
          <p>
            {t.refusedByPlan(data.refused, data.minutes, t.ranges[known])} <bdi>{data.plan}</bdi>
          </p>
          {data.larger.length === 0 ? (
            <p class="soft">{t.noneLarger}</p>
          ) : (
            <Table
              caption={t.groups.plans}
              rows={data.larger}
              rowKey={({ plan }) => plan}
              columns={[
                { key: 'plan', title: t.plan, cell: ({ plan }) => <bdi>{plan}</bdi> },
                ...NUMBERS.map((name) => ({
                  key: name,
                  title: t.numbers[name],
                  isNumber: true,
                  cell: (plan: PlanAdmission['larger'][number]) => number(plan[name]),
                })),
                {
                  key: 'admitted',
                  title: t.admitted,
                  isNumber: true,
                  cell: ({ admitted }) => t.ofRefused(formatNumber(admitted), formatNumber(data.refused)),
                },
              ]}
              stacks
            />
          )}
          <p class="hint">{t.plansHint}</p>
          <ExportActs
            title={t.groups.plans}
            file="larger-plans"
            header={['plan', ...NUMBERS, 'admitted', 'refused']}
            rows={data.larger.map((plan) => [
              plan.plan,
              ...NUMBERS.map((name) => plan[name]),
              plan.admitted,
              data.refused,
            ])}
            request={request}
            isOfSession
          />
        </>
      )}
    </Loaded>
  );
}
