/** Judges what is asked of an API key, new or changed: every fault at once, in words that say what is allowed. */
import { z } from 'zod';
import { SCOPES } from '../../shared/access/scopes.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import {
  accessInputSchema,
  apiKeyChangesSchema,
  apiKeyNameSchema,
  instantInputSchema,
  MAX_WEBSITES,
  scopesInputSchema,
} from './schema.ts';

/** What each field may hold, for its faults. */
const DESCRIPTIONS: Readonly<Record<string, string | undefined>> = {
  name: apiKeyNameSchema.description,
  scopes: scopesInputSchema.description,
  access: accessInputSchema.description,
  expiresAt: instantInputSchema.description,
  enabled: apiKeyChangesSchema.shape.enabled.unwrap().description,
};

/** Most unknown websites that get the nearest one, which is searched among all that there are. */
const MAX_SUGGESTED = 10;

const FIELDS = Object.keys(DESCRIPTIONS);

export interface JudgePorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
}

/** What `asked` says by `schema`. @throws ApiError VALIDATION_ERROR with every fault at once */
export async function judgeApiKey<T>(
  ports: JudgePorts,
  schema: z.ZodType<T>,
  organizationId: string,
  asked: unknown,
): Promise<T> {
  const fields = z.record(z.string(), z.unknown()).safeParse(asked);
  if (!fields.success) throw validationError([{ field: 'body', message: 'Allowed: a JSON object.' }]);
  const { scopes, access } = fields.data;
  const websiteIds =
    typeof access === 'object' && access !== null && 'websiteIds' in access && access.websiteIds;
  const tooLong = [...lengthFaults('scopes', scopes), ...lengthFaults('access.websiteIds', websiteIds)];
  // Nothing else is looked for in them: a body holds some hundred thousand elements.
  if (tooLong.length > 0) throw validationError(tooLong);
  const parsed = schema.safeParse(fields.data);
  const faults = [
    ...(parsed.success ? [] : inOurWords(fields.data, zodDetails(parsed.error.issues))),
    ...repeatFaults('scopes', scopes, 'Name each scope once.'),
    ...repeatFaults('access.websiteIds', websiteIds, 'Name each website once.'),
    ...expiryFaults(fields.data.expiresAt, ports.clock),
    ...(await websiteFaults(ports.documents, organizationId, access)),
  ];
  if (!parsed.success || faults.length > 0) throw validationError(faults);
  return parsed.data;
}

/** The faults in the words of the schema's descriptions; unknown scopes and fields get the nearest one. */
function inOurWords(
  asked: Readonly<Record<string, unknown>>,
  details: readonly ErrorDetail[],
): ErrorDetail[] {
  return details.map((detail) => {
    const index = /^scopes\[(\d+)\]$/.exec(detail.field)?.[1];
    const came: unknown =
      index === undefined || !Array.isArray(asked.scopes) ? undefined : asked.scopes[Number(index)];
    if (typeof came === 'string') {
      const message = `Unknown scope "${came}". Allowed: ${SCOPES.join(', ')}.`;
      return withSuggestion({ ...detail, message }, nearestName(came, SCOPES));
    }
    if (detail.message === 'Unknown field.') return withSuggestion(detail, nearestName(detail.field, FIELDS));
    const description = DESCRIPTIONS[/^\w+/.exec(detail.field)?.[0] ?? ''];
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
  const known = (await documents.websites.all(organizationId)).map((website) => website.id);
  const held = new Set(known);
  const faults = parsed.data.websiteIds
    .map((id, i) => ({ id, field: `access.websiteIds[${i}]` }))
    .filter(({ id }) => !held.has(id));
  return faults.map(({ id, field }, listed) => {
    const fault = { field, message: `The organization has no website "${id}".` };
    return withSuggestion(fault, listed < MAX_SUGGESTED ? nearestName(id, known) : undefined);
  });
}
