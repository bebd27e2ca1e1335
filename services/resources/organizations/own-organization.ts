/** Reads and changes an organization for its members; plan, limits and usage belong to the operator. */
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Organization } from '../../shared/model/organization.ts';
import { effectiveLimits, ownLimits } from '../../shared/plans/effective-limits.ts';
import type { PlansFile } from '../../shared/plans/plans.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import { judgeBody } from '../judge-fields.ts';
import { writeMatching } from '../write-matching.ts';
import { readUsage } from './organization-usage.ts';
import {
  type OwnOrganization,
  type OwnOrganizationChanges,
  ownOrganizationChangesSchema,
  USAGE_MONTHS,
} from './schema.ts';

export interface OwnOrganizationPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** The plans in force. */
  readonly plans: () => PlansFile;
}

const FIELDS = Object.keys(ownOrganizationChangesSchema.shape);
const READ_ONLY = ['id', 'plan', 'limits', 'ownLimits', 'usage', 'createdAt', 'updatedAt'];

export async function viewOwnOrganization(
  { documents, clock, plans }: OwnOrganizationPorts,
  organization: Organization,
): Promise<OwnOrganization> {
  const { id, name, slug, timezone, settings, plan, createdAt, updatedAt } = organization;
  const months = await readUsage(documents, id, clock.now(), USAGE_MONTHS);
  return {
    ...{ id, name, slug: slug ?? null, timezone: timezone ?? 'UTC', settings: settings ?? {}, plan },
    limits: effectiveLimits(plans(), organization),
    ownLimits: ownLimits(plans(), organization),
    usage: { ...months[0], months },
    ...{ createdAt, updatedAt },
  };
}

/** The requested changes. @throws ApiError VALIDATION_ERROR with every fault at once */
export function parseOwnChanges(asked: unknown): OwnOrganizationChanges {
  return judgeBody(ownOrganizationChangesSchema, asked, { fields: FIELDS, readOnly: READ_ONLY });
}

/** The organization with the named fields changed. @throws ApiError PRECONDITION_FAILED; CONFLICT when the slug is taken */
export async function changeOwnOrganization(
  { documents }: Pick<OwnOrganizationPorts, 'documents'>,
  organizationId: string,
  ifMatch: string | undefined,
  changes: OwnOrganizationChanges,
): Promise<{ readonly document: Organization; readonly changed: boolean }> {
  try {
    return await writeMatching(documents.organizations, {
      ...{ organizationId, id: organizationId, ifMatch, kind: 'organization' },
      changesOf: () => (Object.keys(changes).length === 0 ? null : changes),
    });
  } catch (fault) {
    if (!(fault instanceof DuplicateError)) throw fault;
    throw new ApiError('CONFLICT', { text: `The slug "${changes.slug}" is taken.`, cause: fault });
  }
}
