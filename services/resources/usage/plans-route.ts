/** What larger plans would have admitted of what the plan of an organization refused. */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { parseRequestLabels } from '../../shared/model/request-labels.ts';
import { effectiveLimits } from '../../shared/plans/effective-limits.ts';
import type { PlansFile } from '../../shared/plans/plans.ts';
import { readActivity } from '../../shared/usage/read-activity.ts';
import { activityRange, activityRangeViewShape, totalOf, viewRange, zeros } from './activity-range.ts';
import { isLarger, leastAdmitted, type PlanNumbers } from './plan-admission.ts';
import type { UsagePorts } from './requests-route.ts';

export interface PlanPorts extends UsagePorts {
  /** The plans in force. */
  readonly plans: () => PlansFile;
}

const HOURS = { hour: 1, day: 24 } as const;

const querySchema = z.strictObject({
  range: z.enum(['hour', 'day']).default('day').describe('The last hour, or the last 24 hours.'),
});
type PlansQuery = z.output<typeof querySchema>;

const quota = z.int().nullable().describe('Null: it has no such quota.');
const numbersShape = { per10Seconds: z.int(), perMinute: z.int(), perDay: quota, perMonth: quota };

const planAdmissionSchema = z.object({
  ...activityRangeViewShape,
  plan: z.string(),
  ...numbersShape,
  refused: z.int().describe('Requests that windows and quotas of the plan refused.'),
  minutes: z.int().describe('Minutes in which they refused any.'),
  larger: z
    .array(
      z.object({
        plan: z.string(),
        ...numbersShape,
        admitted: z.int().describe('How many of the refused ones it would have admitted at least.'),
      }),
    )
    .describe('Plans that admit all that the plan does, and more; numbers of the organization’s own stay.'),
});
export type PlanAdmission = z.output<typeof planAdmissionSchema>;

const comparePlans = defineRoute<PlanPorts, undefined, PlansQuery>({
  operationId: 'comparePlans',
  method: 'GET',
  path: '/v1/usage/plans',
  rule: { roles: ['owner', 'admin', 'member', 'viewer'] },
  needs: 'session',
  summary: 'Compare larger plans',
  description:
    'How many of the requests that the windows and quotas of the plan refused each larger plan would have admitted at least. Worked out from counts by minute, which do not tell when within a minute requests came: the number holds however they lay, as long as the windows of both plans begin at the same instants, and the true one may be far larger. Clients that ask again after a refusal count again. It counts in the limit `usage`, as the other counts do.',
  tags: ['usage'],
  query: querySchema,
  success: {
    status: 200,
    schema: z.object({ success: z.literal(true), data: planAdmissionSchema }),
    example: {
      success: true,
      data: {
        granularity: 'minute',
        start: '2026-01-14T09:31:00.000Z',
        end: '2026-01-15T09:31:00.000Z',
        plan: 'free',
        ...{ per10Seconds: 50, perMinute: 300, perDay: null, perMonth: null },
        refused: 130,
        minutes: 2,
        larger: [
          {
            plan: 'hobby',
            ...{ per10Seconds: 100, perMinute: 600, perDay: null, perMonth: null },
            admitted: 50,
          },
        ],
      },
    },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, { documents, clock, plans }) {
    const organizationId = organizationOf(caller);
    const organization = await documents.organizations.get(organizationId, organizationId);
    if (organization === null) throw new ApiError('NOT_FOUND');
    const now = clock.now();
    const start = new Date(now - HOURS[query.range] * 3_600_000).toISOString();
    const range = activityRange({ granularity: 'minute', start }, now);
    const refused = zeros(range);
    const subject = { organizationId, websiteId: null, series: 'requests' } as const;
    await readActivity(documents, subject, range, (labels, slot, count) => {
      if (parseRequestLabels(labels).limit === 'plan') refused[slot] = (refused[slot] ?? 0) + count;
    });
    const file = plans();
    const numbersOn = (plan: string): PlanNumbers => {
      const limits = effectiveLimits(file, { ...organization, plan });
      const { per10Seconds, perMinute, perDay, perMonth } = limits;
      return { per10Seconds: per10Seconds ?? 0, perMinute: perMinute ?? 0, perDay, perMonth };
    };
    const own = numbersOn(organization.plan);
    const larger = Object.keys(file.plans)
      .map((plan) => ({ plan, ...numbersOn(plan) }))
      .filter((plan) => isLarger(plan, own))
      .map((plan) => ({ ...plan, admitted: leastAdmitted(refused, own, plan) }))
      .sort((one, other) => one.perMinute - other.perMinute);
    return {
      body: {
        success: true,
        data: {
          ...viewRange(range),
          plan: organization.plan,
          ...own,
          refused: totalOf(refused),
          minutes: refused.filter((count) => count > 0).length,
          larger,
        },
      },
    };
  },
});

export const planRoutes: readonly Route<PlanPorts>[] = [comparePlans];
