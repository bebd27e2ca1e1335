/** Paths with `$1` for the groups of an expression: what a client put into a group never changes the form of the result. */
import { isAmbiguous } from '../../services/shared/http/ambiguous-path.ts';

/** Visible ASCII that a target may hold (RFC 3986, 3.3 and 3.4), and `$` before a digit. */
const TEMPLATE = /^\/(?:[A-Za-z0-9._~!&'()*+,;=:@%/?-]|\$[1-9])*$/;
const LONGEST_TEMPLATE = 1_000;
/** Longer ones no service takes; the listener refuses them too. */
export const LONGEST_TARGET = 8_192;

/** What is wrong with a template for an expression with so many groups; null: nothing. */
export function templateFault(text: string, groups: number): string | null {
  if (text.length > LONGEST_TEMPLATE) return `is longer than ${LONGEST_TEMPLATE} characters`;
  if (!TEMPLATE.test(text)) return 'is no path, such as /items/$1?shop=$2';
  const [path = '', ...query] = text.split('?');
  if (query.length > 1) return 'has two question marks';
  if (!isSound(path.replaceAll(/\$\d/g, 'x'))) return 'has a path that no backend reads as it stands';
  if (query.some((text) => text.split('&').some((part) => nameOf(part).includes('$'))))
    return 'names a parameter by what a client sent';
  const most = Math.max(0, ...[...text.matchAll(/\$(\d)/g)].map((found) => Number(found[1])));
  return most > groups ? `names $${most}, but the expression has ${groups} groups` : null;
}

/** Whether a path says the same to every reader: no dot segments, no encoded slash, no host. */
export function isSound(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !isAmbiguous(path);
}

/** A template that {@link templateFault} accepts. */
export interface PathTemplate {
  /** The path with the groups in their places. It may be unsound: groups can make a dot segment together. */
  path(groups: readonly string[]): string;
  /** The query string with those of `sent` that it does not name itself; each with its question mark, or empty. */
  query(groups: readonly string[], sent: string): string;
}

export function compileTemplate(text: string): PathTemplate {
  const [path = '', query = ''] = text.split('?');
  return {
    path: (groups) => fill(path, groups, (group) => group),
    query: (groups, sent) => joinQueries(query === '' ? '' : `?${fill(query, groups, asValue)}`, sent),
  };
}

/** `own`, and of `sent` the parameters that it does not name; each with its question mark, or empty. */
export function joinQueries(own: string, sent: string): string {
  if (own === '' || sent === '') return own === '' ? sent : own;
  const named = new Set(own.slice(1).split('&').map(plainNameOf));
  const others = sent
    .slice(1)
    .split('&')
    // Some backends take a semicolon for another "&".
    .filter((part) => part !== '' && !part.split(';').some((each) => named.has(plainNameOf(each))));
  return [own, ...others].join('&');
}

function fill(text: string, groups: readonly string[], write: (group: string) => string): string {
  return text.replaceAll(/\$(\d)/g, (_, digit: string) => write(groups[Number(digit) - 1] ?? ''));
}

/** What separates parameters in a query string is none in a path. */
function asValue(group: string): string {
  return group.replaceAll(/[&=+;#?]/g, (character) => encodeURIComponent(character));
}

/** The name of a parameter as a backend reads it. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

/**
 * The name of a parameter as the most generous backend reads it: without case, list brackets and what follows a NUL, and with
 * what PHP makes of spaces and dots.
 */
function plainNameOf(part: string): string {
  const [name = ''] = nameOf(part).trimStart().split(/[[\0]/, 1);
  return name.toLowerCase().replaceAll(/[ .]/g, '_');
}
