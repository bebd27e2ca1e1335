/** What a request meets for somebody in particular: whether the rule of its endpoint lets them in, and what they have left of each limit. */
import type { LimitsInForce } from '../../../plugins/kit/limits-in-force.ts';
import type { PlatformData } from '../../../plugins/kit/platform-views.ts';
import { missingUnderAll } from '../../../services/shared/access/scope-rule.ts';
import type { Scope } from '../../../services/shared/access/scopes.ts';
import { validationError } from '../../../services/shared/errors/zod-details.ts';
import type { ApiKey } from '../../../services/shared/model/api-key.ts';
import { ROLES, type Role } from '../../../services/shared/model/user.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { ApiEndpoint, Configuration } from '../../configuration/configuration.ts';
import type { LimitedCaller } from '../../configuration/limit-numbers.ts';

type Limit = LimitsInForce['limits'][number];
type Told = NonNullable<PlatformData<'explain'>['caller']>;

/** Who may be asked about, besides keys by their ids. */
export const EXPLAINED_CALLERS = ['nobody', ...ROLES, 'operator'] as const;

export interface CallerPorts {
  readonly documents: Pick<DocumentStore, 'apiKeys' | 'organizations'>;
  readonly nowMs: number;
  readonly limitsOf: (organizationId: string) => Promise<LimitsInForce | null>;
}

interface Asked {
  readonly as: string;
  /** Whose limits count, and to whom the key belongs. */
  readonly organization: string | undefined;
}

type Verdict = Pick<Told, 'status' | 'needs'>;

/** @throws ApiError VALIDATION_ERROR for a key or an organization that is not there */
export async function explainCaller(
  { documents, nowMs, limitsOf }: CallerPorts,
  configuration: Configuration,
  endpoint: ApiEndpoint,
  { as, organization }: Asked,
): Promise<Told> {
  const isKey = !EXPLAINED_CALLERS.some((name) => name === as);
  if (isKey && organization === undefined)
    throw faultOf('organization', 'Required: the organization of the key.');
  const key = isKey && organization !== undefined ? await documents.apiKeys.get(organization, as) : null;
  if (isKey && key === null) throw faultOf('as', 'The organization has no such key.');
  const verdict = key === null ? verdictOf(configuration, endpoint, as) : verdictOfKey(endpoint, key, nowMs);
  if (as === 'nobody' || organization === undefined) return { as, ...verdict, limits: null };
  const inForce = await limitsOf(organization);
  if (inForce === null) throw unknownOrganization();
  const limits = inForce.limits
    .filter((limit) => binds(endpoint, limit) && (limit.key === null || limit.key === as))
    .filter(({ session }) => session === null)
    .map(countOf);
  return { as, ...verdict, limits };
}

/** Whose limits are told. @throws ApiError VALIDATION_ERROR where there is no such organization */
export async function limitedCaller(
  { organizations }: CallerPorts['documents'],
  organization: string,
  as: string | undefined,
): Promise<LimitedCaller> {
  const found = await organizations.get(organization, organization);
  if (found === null) throw unknownOrganization();
  return { organization, plan: found.plan, key: as ?? null };
}

/** The outcome for a caller whom the rule refuses; nothing of it for others. */
export function refusalOf(caller: Told | null): { readonly status?: number; readonly verdict?: string } {
  if (caller === null || caller.status === 200) return {};
  const { as, status, needs } = caller;
  return {
    status,
    verdict: `${status}: its rule refuses ${as}${needs === null ? '' : `, who lacks ${needs}`}`,
  };
}

function countOf({ name, per, subject, window, counts, limit, used, remaining, reset }: Limit) {
  return { name, per, subject, window, counts, limit, used, remaining, reset };
}

function faultOf(field: string, message: string) {
  return validationError([{ field, message }]);
}

function unknownOrganization() {
  return faultOf('organization', 'There is no such organization.');
}

/** The windows of the plan name no endpoints. */
function binds(endpoint: ApiEndpoint, { endpoints }: Limit): boolean {
  return endpoints === null
    ? endpoint.plan !== 'none' && endpoint.access !== 'public'
    : endpoints.includes(endpoint.name);
}

const ADMITTED: Verdict = { status: 200, needs: null };

function verdictOf(configuration: Configuration, endpoint: ApiEndpoint, as: string): Verdict {
  const { access, roles, operators } = endpoint;
  if (access === 'public' || access === 'optional') return ADMITTED;
  if (as === 'nobody') return access === 'keyless' ? ADMITTED : { status: 401, needs: null };
  // Whoever runs the service is shown as an owner.
  const role: Role = ROLES.find((name) => name === as) ?? 'owner';
  if (access !== 'session') return scopesOf(endpoint, configuration.scopes.ofRole[role]);
  if (!roles.includes(role)) return { status: 403, needs: roles.join(' or ') };
  return operators === true && as !== 'operator' ? { status: 403, needs: 'operator' } : ADMITTED;
}

function verdictOfKey(endpoint: ApiEndpoint, key: ApiKey, nowMs: number): Verdict {
  const { access, roles } = endpoint;
  if (access === 'public') return ADMITTED;
  const hasEnded = key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs;
  if (!key.enabled || key.revokedAt !== null || hasEnded) return { status: 401, needs: 'a key in force' };
  if (access === 'optional') return ADMITTED;
  return access === 'session' ? { status: 403, needs: roles.join(' or ') } : scopesOf(endpoint, key.scopes);
}

/** A request may still be refused for the selector that it names: its service decides by that. */
function scopesOf(endpoint: ApiEndpoint, held: readonly Scope[]): Verdict {
  const missing = missingUnderAll(endpoint, held);
  return missing === null ? ADMITTED : { status: 403, needs: missing };
}
