/** What a request is about: its selectors and its zone, under the same names in the query string and in a request object. */
import { z } from 'zod';
import { LONGEST_SELECTOR, SELECTOR_SPELLINGS } from '../../shared/access/query-selectors.ts';
import type { Selector } from '../../shared/access/scope-rule.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { faultOfText } from '../../shared/text/faulty-text.ts';
import { type Faults, fieldIn } from './faults.ts';
import { shown } from './shown.ts';

/** A text; a name repeated in the query string arrives as a list. */
export function onceText() {
  return z.string({
    error: ({ input }) =>
      Array.isArray(input) ? 'Given twice; allowed: once.' : `${shown(input)} is no text.`,
  });
}

const sized = (longest: number) => `A text of 1 to ${longest} characters.`;
const text = (longest: number) =>
  onceText()
    .min(1, sized(longest))
    .max(longest, sized(longest))
    .check(({ value, issues }) => {
      const message = faultOfText(value);
      if (message !== null) issues.push({ code: 'custom', message, input: undefined });
    });
const selector = text(LONGEST_SELECTOR);
const zone = text(64);

/** Every name, as a schema shows it. */
export const nameFields = {
  website_id: selector.optional().describe('Query this website.'),
  websiteId: selector.optional().describe('The same as website_id.'),
  organization_id: selector
    .optional()
    .describe('Query all websites and organization events; needs global access.'),
  organizationId: selector.optional().describe('The same as organization_id.'),
  link_id: selector.optional().describe('Query this short link.'),
  linkId: selector.optional().describe('The same as link_id.'),
  timezone: zone.optional().describe('IANA time zone; default UTC.'),
  timeZone: zone.optional().describe('The same as timezone.'),
};

/** The spellings of each name. */
const SPELLINGS = {
  ...SELECTOR_SPELLINGS,
  timezone: ['timezone', 'timeZone'],
} as const;
type Name = keyof typeof SPELLINGS;
const NAMES = Object.keys(SPELLINGS) as Name[];

/** A value with the field that it was given in. */
export interface NamedValue {
  readonly text: string;
  readonly field: string;
}

/** The values given, under either spelling. */
export type Named = Readonly<Partial<Record<Name, NamedValue>>>;

/** What a query string names or, with `prefix`, a request object; invalid values and spellings that differ are faults. */
export function readNames(source: Readonly<Record<string, unknown>>, prefix: string, faults: Faults): Named {
  const named: Partial<Record<Name, NamedValue>> = {};
  for (const name of NAMES) {
    for (const spelling of SPELLINGS[name]) {
      const value = Object.hasOwn(source, spelling) ? source[spelling] : undefined;
      if (value === undefined) continue;
      const field = fieldIn(prefix, spelling);
      const checked = nameFields[spelling].safeParse(value, OUR_WORDING);
      if (!checked.success) faults.addIssues(checked.error.issues, field);
      else if (checked.data !== undefined) {
        const other = named[name];
        if (other === undefined) named[name] = { text: checked.data, field };
        else if (other.text !== checked.data) {
          const values = `${shown(other.text)} and ${shown(checked.data)}`;
          faults.add(other.field, `Came twice with different values: ${values}.`);
        }
      }
    }
  }
  return named;
}

/**
 * What a request object is about: its own names, and those of the query string where it has none; different values are a
 * fault.
 */
export function namesOf(element: unknown, common: Named, prefix: string, faults: Faults): Named {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return common;
  const own = readNames(element as Readonly<Record<string, unknown>>, prefix, faults);
  for (const name of NAMES) {
    const [mine, theirs] = [own[name], common[name]];
    if (mine === undefined || theirs === undefined || mine.text === theirs.text) continue;
    faults.add(mine.field, `${shown(mine.text)} differs from ${shown(theirs.text)} in the query string.`);
  }
  return { ...common, ...own };
}

/** What a call queries, as named by the client; access is not checked yet. */
export interface Selectors {
  readonly linkId?: string;
  readonly websiteId?: string;
  readonly organizationId?: string;
}

export function selectorsOf({ linkId, websiteId, organizationId }: Named): Selectors {
  return { linkId: linkId?.text, websiteId: websiteId?.text, organizationId: organizationId?.text };
}

/** The selector that wins and decides the scopes; null: none is named. */
export function winnerOf({ linkId, websiteId, organizationId }: Selectors): Selector | null {
  if (linkId !== undefined) return 'link_id';
  if (websiteId !== undefined) return 'website_id';
  return organizationId === undefined ? null : 'organization_id';
}
