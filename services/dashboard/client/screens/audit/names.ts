/** Who and what the identifiers of audit records are, as the API names them. */
import type { AuditName, AuditRecordView } from '../../api/wire.ts';

export type Names = ReadonlyMap<string, string>;

/** By the identifiers of people, keys and what they acted on. */
export function namesOf(told: readonly AuditName[]): Names {
  return new Map(told.map(({ id, name }) => [id, name]));
}

/** Everybody who may have acted: people, keys, and the command line. */
export function actorsOf(told: readonly AuditName[]): readonly string[] {
  return [...told.filter(({ kind }) => kind === 'user' || kind === 'key').map(({ id }) => id), 'cli'];
}

/** The identifier by which everything that an actor did is found: the user's over all sessions, else the key's. */
export const actorIdOf = ({ actor }: Pick<AuditRecordView, 'actor'>): string => actor.userId ?? actor.id;

/** Whether `who` did it: the search of the API finds what was done to them too. */
export const isBy = (record: Pick<AuditRecordView, 'actor'>, who: string): boolean =>
  actorIdOf(record) === who || record.actor.id === who;

/** Actions whose words say all: what they are about is who did it, or the organization itself. */
const WHOLE: readonly string[] = [
  'member.accept',
  'organization.change',
  'organization.create',
  'session.end',
  'session.login',
  'session.logout',
  'session.switch',
  'user.change',
  'user.change-password',
];

export const isWhole = (action: string): boolean => WHOLE.includes(action);

/** The action in words; one that has none, as it is. */
export function sentenceOf(action: string, actions: Readonly<Record<string, string>>): string {
  return Object.hasOwn(actions, action) ? (actions[action] ?? action) : action;
}
