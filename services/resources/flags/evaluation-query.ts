/**
 * The query string of a flag evaluation: the client, the caller and their properties, each bounded (contract.md section
 * 7).
 */
import { z } from 'zod';
import { cleanText } from '../../shared/text/clean-text.ts';
import type { FlagContext } from './evaluate-flag.ts';

const MAX_TEXT = 256;
const MAX_PROPERTIES = 8_192;
const MAX_KEYS = 100;

/** A parameter that may occur once; an empty one counts as absent. */
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
  userId: text(MAX_TEXT, 'Who asks; for rules and rollouts.'),
  email: text(MAX_TEXT, 'Their address, for rules.'),
  organizationId: text(MAX_TEXT, 'Their organization, for rollouts by organization.'),
  teamId: text(MAX_TEXT, 'Their team, for rollouts by team.'),
  properties: text(
    MAX_PROPERTIES,
    `A JSON object of at most ${MAX_PROPERTIES} characters; anything else counts as {}.`,
  ),
  environment: text(MAX_TEXT, 'Only flags of this environment; without it only flags that have none.'),
};

/** Other parameters are ignored: clients add some. */
export const evaluateQuerySchema = z.object({
  key: required(MAX_TEXT, 'The key of the flag.'),
  ...callerShape,
});
export const bulkQuerySchema = z.object({
  ...callerShape,
  keys: text(
    MAX_PROPERTIES,
    `At most ${MAX_KEYS} keys of flags, with commas between; without it all flags.`,
  ).refine((keys) => namesIn(keys).size <= MAX_KEYS, `Name at most ${MAX_KEYS} keys.`),
});
export type EvaluateQuery = z.output<typeof evaluateQuerySchema>;
export type BulkQuery = z.output<typeof bulkQuerySchema>;

type CallerQuery = Pick<EvaluateQuery, 'userId' | 'email' | 'organizationId' | 'teamId' | 'properties'>;

/** The caller to evaluate for. */
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

/** The requested keys, each once; null for all. */
export function askedKeys({ keys }: Pick<BulkQuery, 'keys'>): ReadonlySet<string> | null {
  const asked = namesIn(keys);
  return asked.size === 0 ? null : asked;
}

function namesIn(keys: string | undefined): ReadonlySet<string> {
  const names = (keys ?? '').split(',').map((key) => key.trim());
  return new Set(names.filter((key) => key !== ''));
}
