/** Creates and changes organizations, for administration; and an organization as an operator sees it. */
import { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import {
  type Organization,
  type OrganizationLimits,
  organizationLimitsSchema,
  retentionDaysSchema,
} from '../../shared/model/organization.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { writeMatching } from '../write-matching.ts';
import { readUsage, usageCountSchema } from './organization-usage.ts';
import { organizationNameSchema } from './schema.ts';

export interface OrganizationPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
}

export const organizationInputSchema = z.strictObject({
  name: organizationNameSchema,
  plan: z.string(),
});
export type OrganizationInput = z.infer<typeof organizationInputSchema>;

/** Fields that are not named stay unchanged; null for a limit or the days returns to the plan's. */
export const organizationChangesSchema = organizationInputSchema.partial().extend({
  limits: z
    .strictObject(
      Object.fromEntries(
        Object.entries(organizationLimitsSchema.shape).map(([name, limit]) => [name, limit.nullable()]),
      ),
    )
    .optional(),
  retentionDays: retentionDaysSchema.nullable().optional(),
});
export type OrganizationChanges = z.infer<typeof organizationChangesSchema>;

export const organizationViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.string(),
  limits: organizationLimitsSchema,
  /** Absent: the plan's. */
  retentionDays: retentionDaysSchema.optional(),
  createdAt: z.iso.datetime(),
});
export type OrganizationView = z.infer<typeof organizationViewSchema>;

/** The same, with the usage of the current month. */
export const listedOrganizationSchema = organizationViewSchema.extend({ usage: usageCountSchema });
export type ListedOrganization = z.infer<typeof listedOrganizationSchema>;

/** Every organization by identifier ascending; for an operator. */
export async function listOrganizations(
  documents: DocumentStore,
  nowMs: number,
): Promise<ListedOrganization[]> {
  const listed: ListedOrganization[] = [];
  for (const organization of await documents.allOrganizations()) {
    const [usage] = await readUsage(documents, organization.id, nowMs, 1);
    listed.push({ ...toOrganizationView(organization), usage });
  }
  return listed;
}

export function toOrganizationView(organization: Organization): OrganizationView {
  const { id, name, plan, limits, retentionDays, createdAt } = organization;
  return { id, name, plan, limits, ...(retentionDays == null ? {} : { retentionDays }), createdAt };
}

/** A new organization on one of `plans`. @throws ApiError VALIDATION_ERROR with every fault at once */
export async function createOrganization(
  { documents, ids }: OrganizationPorts,
  plans: readonly string[],
  asked: OrganizationInput,
): Promise<OrganizationView> {
  const { name, plan } = judge(organizationInputSchema, plans, asked);
  const id = ids.create('org');
  return toOrganizationView(
    await documents.organizations.insert({ id, organizationId: id, name, plan, limits: {} }),
  );
}

/** @throws ApiError VALIDATION_ERROR with every fault at once, NOT_FOUND */
export async function changeOrganization(
  { documents }: OrganizationPorts,
  plans: readonly string[],
  id: string,
  asked: OrganizationChanges,
): Promise<OrganizationView> {
  const { limits, retentionDays, ...changes } = judge(organizationChangesSchema, plans, asked);
  const { document } = await writeMatching(documents.organizations, {
    organizationId: id,
    id,
    kind: 'organization',
    changesOf: (existing: Organization) => ({
      ...changes,
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...(limits === undefined ? {} : { limits: withLimits(existing.limits, limits) }),
    }),
  });
  return toOrganizationView(document);
}

function judge<T extends { readonly plan?: string | undefined }>(
  schema: z.ZodType<T>,
  plans: readonly string[],
  asked: unknown,
): T {
  const parsed = schema.safeParse(asked);
  const faults = parsed.success ? planFaults(parsed.data.plan, plans) : zodDetails(parsed.error.issues);
  if (!parsed.success || faults.length > 0) throw validationError(faults);
  return parsed.data;
}

function planFaults(plan: string | undefined, plans: readonly string[]): ErrorDetail[] {
  if (plan === undefined || plans.includes(plan)) return [];
  const fault = { field: 'plan', message: `Unknown plan "${plan}". Allowed: ${plans.join(', ')}.` };
  const suggestion = nearestName(plan, plans);
  return [suggestion === undefined ? fault : { ...fault, suggestion }];
}

function withLimits(
  existing: OrganizationLimits,
  changes: Readonly<Record<string, number | null | undefined>>,
): OrganizationLimits {
  const merged = Object.entries({ ...existing, ...changes }).filter(([, limit]) => typeof limit === 'number');
  return organizationLimitsSchema.parse(Object.fromEntries(merged));
}
