/** The one reader of query strings: gateway, plugins and services see the same parameters, whatever a client sends. */
import { parse, stringify } from 'node:querystring';

/** Values by name; a repeated name has a list. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The path of a request target, without its query string. A target holds no `#`, which the gateway refuses. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}

/** All parameters of a request target; the length of the target bounds their number. */
export function queryOf(target: string): QueryParameters {
  const mark = target.indexOf('?');
  return parseQuery(mark === -1 ? '' : target.slice(mark + 1));
}

/** The parameters of a query string without its question mark. */
export function parseQuery(text: string): QueryParameters {
  // Without a bound of its own: parameters beyond one would be seen by some readers and not by others.
  return parse(text, '&', '=', { maxKeys: 0 });
}

/** The value of a parameter; of a repeated one, the first. */
export function firstValue(parameters: QueryParameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The query string for these parameters, without a question mark. */
export function writeQuery(parameters: QueryParameters): string {
  return stringify(parameters as Record<string, string | string[]>);
}
