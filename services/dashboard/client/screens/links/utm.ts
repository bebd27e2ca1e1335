/** The campaign in an address: its `utm_` parameters, read and put into the query string without a change to anything else of it. */

export const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type Utm = (typeof UTM)[number];

/** Up to the query string, the query string, and what follows. */
const PARTS = /^([^?#]*)(?:\?([^#]*))?(.*)$/s;

/** What the address says of the campaign; empty when it says nothing. */
export function utmOf(address: string, utm: Utm): string {
  const [, , query = ''] = PARTS.exec(address) ?? [];
  return new URLSearchParams(query).get(`utm_${utm}`) ?? '';
}

/** The address with this value, where the parameter stood or at the end; an empty one takes it out. */
export function withUtm(address: string, utm: Utm, value: string): string {
  const [, path = '', query = '', rest = ''] = PARTS.exec(address) ?? [];
  const name = `utm_${utm}`;
  const written = value === '' ? [] : [new URLSearchParams([[name, value]]).toString()];
  const pairs = query.split('&').filter((pair) => pair !== '');
  const isOther = (pair: string) => !new URLSearchParams(pair).has(name);
  const at = pairs.findIndex((pair) => !isOther(pair));
  const before = (at < 0 ? pairs : pairs.slice(0, at)).filter(isOther);
  const after = at < 0 ? [] : pairs.slice(at).filter(isOther);
  const joined = [...before, ...written, ...after].join('&');
  return `${path}${joined && `?${joined}`}${rest}`;
}
