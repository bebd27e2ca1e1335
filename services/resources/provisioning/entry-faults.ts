/** The rules of PROVISION_FILE that concern more than one value: exactly one of two, no duplicates, websites that exist. */
import { hashApiKey, isWellFormedApiKey } from '../../shared/credentials/api-key-text.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { fieldPath } from '../../shared/errors/zod-details.ts';
import { MAX_WEBSITES } from '../api-keys/schema.ts';
import { normalDomain } from '../websites/normal-domain.ts';
import type { FaultPath, UnplacedFault } from './provisioning-fault.ts';

/** How many websites a fault lists, and how many faults of a key suggest one. */
const MAX_LISTED = 20;

/** Websites by organization that the store already holds: keys may name them even when the file does not have them. */
export type ExistingWebsites = ReadonlyMap<string, readonly string[]>;

type Fields = Readonly<Record<string, unknown>>;
interface Entry {
  readonly fields: Fields;
  readonly path: FaultPath;
}

/**
 * The faults in a file's plain value. It inspects what is there, whatever the shape, so that all faults are reported at
 * once.
 */
export function entryFaults(value: unknown, existing: ExistingWebsites = new Map()): UnplacedFault[] {
  const faults: UnplacedFault[] = [];
  const organizations = entriesOf({ fields: fieldsOf(value), path: [] }, 'organizations');
  const unique = createUniqueness(faults);
  const onePassword = createOnePassword(faults);
  for (const organization of organizations) {
    const users = entriesOf(organization, 'users');
    const websites = entriesOf(organization, 'websites');
    const apiKeys = entriesOf(organization, 'apiKeys');
    const organizationId = textOf(organization, 'id') ?? '';

    unique(organization, 'id', 'organization');
    for (const user of users) {
      exactlyOneOf(user, 'password', 'passwordHash', faults);
      unique(user, 'email', `user of ${organization.path.join()}`, (email) => email.toLowerCase());
      onePassword(user);
    }
    for (const website of websites) {
      unique(website, 'id', 'website');
      const kind = `website of ${organization.path.join()}`;
      unique(website, 'domain', kind, (domain) => normalDomain(domain) ?? domain);
    }
    const known = new Set([
      ...websites.flatMap((website) => textOf(website, 'id') ?? []),
      ...(existing.get(organizationId) ?? []),
    ]);
    for (const link of entriesOf(organization, 'links')) {
      unique(link, 'id', 'link');
      unique(link, 'slug', 'link');
      unknownWebsite(link, known, faults);
    }
    for (const apiKey of apiKeys) {
      unique(apiKey, 'id', 'API key');
      exactlyOneOf(apiKey, 'key', 'keyHash', faults);
      uniqueSecret(apiKey, unique);
      repeats(apiKey.fields.scopes, [...apiKey.path, 'scopes'], faults);
      unknownWebsites(apiKey, known, faults);
    }
    for (const flag of entriesOf(organization, 'flags')) {
      unique(flag, 'id', 'flag');
      const scope = textOf(flag, 'websiteId') ?? organization.path.join();
      unique(flag, 'key', `flag of ${scope}`);
      unknownWebsite(flag, known, faults);
    }
  }
  return faults;
}

type Uniqueness = (entry: Entry, field: string, kind: string, normal?: (text: string) => string) => void;

/** Reports every repeated use of a value with the place of the first, without repeating the value. */
function createUniqueness(faults: UnplacedFault[]): Uniqueness {
  const seen = new Map<string, FaultPath>();
  return (entry, field, kind, normal = (text) => text) => {
    const text = textOf(entry, field);
    if (text === undefined) return;
    const path = [...entry.path, field];
    const known = `${kind} ${field === 'key' && kind === 'API key' ? 'keyHash' : field} ${normal(text)}`;
    const first = seen.get(known);
    if (first) faults.push({ path, message: `is already used by ${fieldPath(first)}; allowed: one use` });
    else seen.set(known, path);
  };
}

/** A user of several organizations has one password, so every entry must name the same one. */
function createOnePassword(faults: UnplacedFault[]): (user: Entry) => void {
  const seen = new Map<string, Entry>();
  return (user) => {
    const email = textOf(user, 'email')?.toLowerCase();
    if (email === undefined) return;
    const first = seen.get(email);
    if (!first) {
      seen.set(email, user);
      return;
    }
    const same = ['password', 'passwordHash'].every((field) => first.fields[field] === user.fields[field]);
    if (same) return;
    const message = `came another password than for the same user at ${fieldPath(first.path)}; allowed: the same`;
    faults.push({ path: user.path, message });
  };
}

/** A key and its hash are the same key. */
function uniqueSecret(apiKey: Entry, unique: Uniqueness): void {
  if (Object.hasOwn(apiKey.fields, 'key')) {
    unique(apiKey, 'key', 'API key', (text) => (isWellFormedApiKey(text) ? hashApiKey(text) : text));
  } else unique(apiKey, 'keyHash', 'API key');
}

function exactlyOneOf(entry: Entry, one: string, other: string, faults: UnplacedFault[]): void {
  const came = [one, other].filter((field) => Object.hasOwn(entry.fields, field));
  if (came.length === 1) return;
  const both = came.length === 2 ? `came ${one} and ${other}` : `came neither ${one} nor ${other}`;
  faults.push({ path: entry.path, message: `${both}; allowed: exactly one of them` });
}

function repeats(list: unknown, path: FaultPath, faults: UnplacedFault[]): void {
  if (!Array.isArray(list)) return;
  const seen = new Set<unknown>();
  list.forEach((element: unknown, i) => {
    if (typeof element === 'string' && seen.has(element)) {
      faults.push({ path: [...path, i], message: 'came a second time; allowed: once' });
    }
    seen.add(element);
  });
}

function allowedOf(known: ReadonlySet<string>): string {
  return known.size > 0 ? `websites of the organization: ${listed([...known])}` : 'none: no website yet';
}

function unknownWebsites(apiKey: Entry, known: ReadonlySet<string>, faults: UnplacedFault[]): void {
  const { websiteIds } = fieldsOf(apiKey.fields.access);
  // A list that is too long is reported by the shape.
  if (!Array.isArray(websiteIds) || websiteIds.length > MAX_WEBSITES) return;
  const path = [...apiKey.path, 'access', 'websiteIds'];
  repeats(websiteIds, path, faults);
  const allowed = allowedOf(known);
  let suggested = 0;
  websiteIds.forEach((id: unknown, i) => {
    if (typeof id !== 'string' || id === '' || known.has(id)) return;
    const message = `came an unknown website; allowed: ${allowed}`;
    faults.push({
      path: [...path, i],
      message,
      suggestion: suggested++ < MAX_LISTED ? nearestName(id, known) : undefined,
    });
  });
}

/** The website of an entry that names one. */
function unknownWebsite(entry: Entry, known: ReadonlySet<string>, faults: UnplacedFault[]): void {
  const id = textOf(entry, 'websiteId');
  if (id === undefined || known.has(id)) return;
  const message = `came an unknown website; allowed: ${allowedOf(known)}`;
  faults.push({ path: [...entry.path, 'websiteId'], message, suggestion: nearestName(id, known) });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function entriesOf(parent: Entry, name: string): Entry[] {
  const list = parent.fields[name];
  if (!Array.isArray(list)) return [];
  return list.map((fields: unknown, i) => ({ fields: fieldsOf(fields), path: [...parent.path, name, i] }));
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(entry: Entry, field: string): string | undefined {
  const value = entry.fields[field];
  return typeof value === 'string' ? value : undefined;
}
