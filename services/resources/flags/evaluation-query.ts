/** What a request for flags says: the client, the caller and their properties, each bounded (contract.md section 7). */
import { z } from 'zod';
import { cleanText } from '../../shared/text/clean-text.ts';
import type { FlagContext } from './evaluate-flag.ts';

const MAX_TEXT = 256;
const MAX_PROPERTIES = 8_192;

/** A parameter that may stand once; an empty one is none. */
function text(max: number, description: string) {
  return z
    .string('Name it once.')
    .max(max, `At most ${max} characters.`)
    .optional()
    .transform((came) => (came === undefined || came === '' ? undefined : cleanText(came)))
    .describe(description);
}

function required(max: number, description: string) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'This is missing.' : 'Name it once.') })
    .min(1, 'This is missing.')
    .max(max, `At most ${max} characters.`)
    .transform(cleanText)
    .describe(description);
}

const callerShape = {
  clientId: required(MAX_TEXT, 'A website or an organization.'),
  userId: text(MAX_TEXT, 'Who asks; for rules, and what a rollout goes by.'),
  email: text(MAX_TEXT, 'Their address, for rules.'),
  organizationId: text(MAX_TEXT, 'Their organization, for rollouts by organization.'),
  teamId: text(MAX_TEXT, 'Their team, for rollouts by team.'),
  properties: text(
    MAX_PROPERTIES,
    `A JSON object of at most ${MAX_PROPERTIES} characters; anything else counts as {}.`,
  ),
  environment: text(MAX_TEXT, 'Only flags of this environment; without it only flags that have none.'),
};

/** Parameters beyond these are ignored: clients add some. */
export const evaluateQuerySchema = z.object({
  key: required(MAX_TEXT, 'The key of the flag.'),
  ...callerShape,
});
export const bulkQuerySchema = z.object({
  ...callerShape,
  keys: text(MAX_PROPERTIES, 'Keys of flags, with commas between; without it all flags.'),
});
export type EvaluateQuery = z.output<typeof evaluateQuerySchema>;
export type BulkQuery = z.output<typeof bulkQuerySchema>;

type CallerQuery = Pick<EvaluateQuery, 'userId' | 'email' | 'organizationId' | 'teamId' | 'properties'>;

/** For whom to evaluate. */
export function contextOf({ userId, email, organizationId, teamId, properties }: CallerQuery): FlagContext {
  return { userId, email, organizationId, teamId, properties: propertiesOf(properties) };
}

function propertiesOf(json: string | undefined): Readonly<Record<string, unknown>> {
  if (json === undefined) return {};
  try {
    const parsed: unknown = JSON.parse(json);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The keys that are asked for, each once; null for all. */
export function askedKeys({ keys }: Pick<BulkQuery, 'keys'>): ReadonlySet<string> | null {
  const asked = (keys ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  return asked.length === 0 ? null : new Set(asked);
}
