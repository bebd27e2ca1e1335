/** For whom a flag is tried, as the address of the page keeps it, and what is asked of the API for it. */
import type { FlagView } from '../../api/wire.ts';
import { jsonOf } from './json-of.ts';

/** What a caller may say of itself besides its properties, by the names of the API. */
export const FIELDS = ['userId', 'email', 'organizationId', 'teamId'] as const;

/** Empty: not said. */
export type Caller = Readonly<Record<(typeof FIELDS)[number] | 'properties', string>>;

/** A caller who says nothing. */
export const EVERYBODY: Caller = { userId: '', email: '', organizationId: '', teamId: '', properties: '' };

/** The caller that the address names; null: nobody was tried. */
export function callerOf(parameters: Readonly<Record<string, string | undefined>>): Caller | null {
  if (parameters.try === undefined) return null;
  const { userId = '', email = '', organizationId = '', teamId = '', properties = '' } = parameters;
  return { userId, email, organizationId, teamId, properties };
}

/** `clientId`: the website of the flag, or the organization. */
export function evaluationOf(
  { key, environment }: Pick<FlagView, 'key' | 'environment'>,
  clientId: string,
  caller: Caller,
) {
  const said = Object.entries(caller).filter(([, value]) => value !== '');
  const query: Record<string, string> = { clientId, key, ...Object.fromEntries(said) };
  if (environment !== null) query.environment = environment;
  return { path: '/public/v1/flags/evaluate', query };
}

/** Whether the text is a JSON object, or nothing: the API takes anything else for no properties. */
export function isObject(text: string): boolean {
  const value = text.trim() === '' ? {} : jsonOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
