/** Validates a new or changed API key: every fault at once, in words that say what is allowed. */
import { z } from 'zod';
import type { ScopeCatalogue } from '../../shared/access/scope-catalogue.ts';
import type { Scope } from '../../shared/access/scopes.ts';
import { unknownWebsites } from '../../shared/access/website-access.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestField, nearestName } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type ApiKeySchemas, accessInputSchema, apiKeySchemas, MAX_WEBSITES } from './schema.ts';

/** What each field may hold, as its faults say it. */
function descriptionsOf({ input, changes }: ApiKeySchemas): Readonly<Record<string, string | undefined>> {
  const { name, scopes, access, expiresAt } = input.shape;
  return {
    name: name.description,
    scopes: scopes.description,
    access: access.description,
    expiresAt: expiresAt.unwrap().unwrap().description,
    enabled: changes.shape.enabled.unwrap().description,
  };
}

/** How many unknown websites get the nearest known one. */
const MAX_SUGGESTED = 10;
/** How many websites it is searched among: comparing takes longer than everything else. */
const MAX_COMPARED = 200;

export interface JudgePorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** The scopes in force. */
  scopes(): ScopeCatalogue;
}

/** Parses `asked` as a new key or as changes of one. @throws ApiError VALIDATION_ERROR with every fault at once */
export async function judgeApiKey<Kind extends keyof ApiKeySchemas>(
  ports: JudgePorts,
  kind: Kind,
  organizationId: string,
  asked: unknown,
): Promise<z.output<ApiKeySchemas[Kind]>> {
  const { ofKeys } = ports.scopes();
  const schemas = apiKeySchemas(ofKeys);
  const schema = schemas[kind] as unknown as z.ZodType<z.output<ApiKeySchemas[Kind]>>;
  const fields = z.record(z.string(), z.unknown()).safeParse(asked);
  if (!fields.success) throw validationError([{ field: 'body', message: 'Allowed: a JSON object.' }]);
  const { scopes, access } = fields.data;
  const websiteIds =
    typeof access === 'object' && access !== null && 'websiteIds' in access && access.websiteIds;
  const tooLong = [...lengthFaults('scopes', scopes), ...lengthFaults('access.websiteIds', websiteIds)];
  // They are not searched any further: a body may hold some hundred thousand elements.
  if (tooLong.length > 0) throw validationError(tooLong);
  // The original: a record drops the name `__proto__`, but unknown names must be refused, not dropped.
  const parsed = schema.safeParse(asked);
  const faults = [
    ...(parsed.success
      ? []
      : inOurWords(fields.data, zodDetails(parsed.error.issues), descriptionsOf(schemas), ofKeys)),
    ...repeatFaults('scopes', scopes, 'Name each scope once.'),
    ...repeatFaults('access.websiteIds', websiteIds, 'Name each website once.'),
    ...expiryFaults(fields.data.expiresAt, ports.clock),
    ...(await websiteFaults(ports.documents, organizationId, access)),
  ];
  if (!parsed.success || faults.length > 0) throw validationError(faults);
  return parsed.data;
}

/** The faults in the words of the schema's descriptions; unknown scopes and fields get the nearest known one. */
function inOurWords(
  asked: Readonly<Record<string, unknown>>,
  details: readonly ErrorDetail[],
  descriptions: ReturnType<typeof descriptionsOf>,
  scopes: readonly Scope[],
): ErrorDetail[] {
  return details.map((detail) => {
    const index = /^scopes\[(\d+)\]$/.exec(detail.field)?.[1];
    const came: unknown =
      index === undefined || !Array.isArray(asked.scopes) ? undefined : asked.scopes[Number(index)];
    if (typeof came === 'string') {
      const message = `Unknown scope "${came}". Allowed: ${scopes.join(', ')}.`;
      return withSuggestion({ ...detail, message }, nearestName(came, scopes));
    }
    if (detail.message === 'Unknown field.')
      return withSuggestion(detail, nearestField(detail.field, Object.keys(descriptions)));
    const description = descriptions[/^\w+/.exec(detail.field)?.[0] ?? ''];
    return description === undefined ? detail : { ...detail, message: `Allowed: ${description}.` };
  });
}

function withSuggestion(detail: ErrorDetail, suggestion: string | undefined): ErrorDetail {
  return suggestion === undefined ? detail : { ...detail, suggestion };
}

function lengthFaults(field: string, list: unknown): ErrorDetail[] {
  if (!Array.isArray(list) || list.length <= MAX_WEBSITES) return [];
  return [{ field, message: `Came ${list.length} elements. Allowed: at most ${MAX_WEBSITES}.` }];
}

function repeatFaults(field: string, list: unknown, message: string): ErrorDetail[] {
  if (!Array.isArray(list) || new Set(list).size === list.length) return [];
  return [{ field, message }];
}

function expiryFaults(expiresAt: unknown, clock: Clock): ErrorDetail[] {
  if (typeof expiresAt !== 'string' || !(Date.parse(expiresAt) <= clock.now())) return [];
  return [{ field: 'expiresAt', message: `${expiresAt} has passed. Allowed: an instant to come.` }];
}

async function websiteFaults(
  documents: DocumentStore,
  organizationId: string,
  access: unknown,
): Promise<ErrorDetail[]> {
  const parsed = accessInputSchema.safeParse(access);
  if (!parsed.success || parsed.data.level === 'global') return [];
  const { websiteIds } = parsed.data;
  const unknown = await unknownWebsites(documents, organizationId, websiteIds);
  if (unknown.size === 0) return [];
  const known = await documents.websitesOf(organizationId);
  const compared = known.slice(0, MAX_COMPARED).map(({ id }) => id);
  const faults = websiteIds
    .map((id, i) => ({ id, field: `access.websiteIds[${i}]` }))
    .filter(({ id }) => unknown.has(id));
  return faults.map(({ id, field }, listed) => {
    const fault = { field, message: `The organization has no website "${id}".` };
    return withSuggestion(fault, listed < MAX_SUGGESTED ? nearestName(id, compared) : undefined);
  });
}
