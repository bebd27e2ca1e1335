/** The form of a link as texts, and what is sent for it: of a new one what was filled in, of another what differs. */
import type { LinkView } from '../../api/wire.ts';
import { clockOf, instantAt } from '../../texts/days.ts';

export interface Draft {
  readonly name: string;
  readonly targetUrl: string;
  /** Empty, of a new link: a random one. */
  readonly slug: string;
  /** Empty: of no website. */
  readonly websiteId: string;
  /** As the clocks of the organization show it, to the minute; empty: never. */
  readonly expiresAt: string;
  readonly expiredRedirectUrl: string;
  readonly iosUrl: string;
  readonly androidUrl: string;
  readonly ogTitle: string;
  readonly ogDescription: string;
  readonly ogImageUrl: string;
  /** One a line. */
  readonly tags: string;
}

export type Field = keyof Draft;

export const NOTHING: Draft = {
  name: '',
  targetUrl: '',
  slug: '',
  websiteId: '',
  expiresAt: '',
  expiredRedirectUrl: '',
  iosUrl: '',
  androidUrl: '',
  ogTitle: '',
  ogDescription: '',
  ogImageUrl: '',
  tags: '',
};
const FIELDS = Object.keys(NOTHING) as Field[];
/** What no link is without: emptied, it goes as it is, and the API says what is allowed. */
const NEEDED: readonly Field[] = ['name', 'targetUrl', 'slug'];

export function draftOf(link: LinkView, zone: string): Draft {
  const texts = FIELDS.map((field) => {
    const value = link[field];
    if (field === 'expiresAt') return [field, value === null ? '' : clockOf(Date.parse(`${value}`), zone)];
    return [field, Array.isArray(value) ? value.join('\n') : (value ?? '')];
  });
  return Object.fromEntries(texts);
}

/** The body that makes a link. */
export function inputOf(draft: Draft, zone: string): Record<string, unknown> {
  const filled = FIELDS.filter((field) => draft[field].trim() !== '');
  return fieldsOf([...new Set<Field>(['name', 'targetUrl', ...filled])], draft, zone);
}

/** The body of the change that turns `before` into `draft`; null when nothing differs. */
export function changesOf(before: LinkView, draft: Draft, zone: string): Record<string, unknown> | null {
  const was = draftOf(before, zone);
  const differing = FIELDS.filter((field) => compared(field, draft) !== compared(field, was));
  return differing.length === 0 ? null : fieldsOf(differing, draft, zone);
}

function fieldsOf(fields: readonly Field[], draft: Draft, zone: string): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, sentOf(field, draft, zone)]));
}

function sentOf(field: Field, draft: Draft, zone: string): unknown {
  if (field === 'tags') return tagsOf(draft);
  const text = draft[field].trim();
  if (text === '') return NEEDED.includes(field) ? text : null;
  if (field !== 'expiresAt') return text;
  const instant = instantAt(text, zone);
  return instant === null ? text : new Date(instant).toISOString();
}

/** A field as it is compared: blanks around it, and blank lines of a list, make no difference. */
const compared = (field: Field, draft: Draft): string =>
  field === 'tags' ? tagsOf(draft).join('\n') : draft[field].trim();

function tagsOf({ tags }: Draft): string[] {
  return tags
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
