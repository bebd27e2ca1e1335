/** Reads country, region and city from the headers of CDNs; the gateway lets only those of trusted proxies through. */
import { GEO_HEADERS } from '../../shared/http/geo-headers.ts';
import { NO_PLACE, type Place } from './client-traits.ts';
import { countryCode, placeName } from './place-text.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The place, all of it from one CDN. When two CDNs name different countries, neither is trusted: a client can add the
 * headers of a CDN that it does not use.
 */
export function readPlace(headers: Headers): Place {
  const named = GEO_HEADERS.filter(({ country }) => headers[country] !== undefined);
  const [first, ...others] = named;
  if (first === undefined) return NO_PLACE;
  const country = countryCode(headers[first.country]);
  if (country === null || others.some((other) => countryCode(headers[other.country]) !== country)) {
    return NO_PLACE;
  }
  const region = first.region.map((name) => nameOf(headers[name])).find((name) => name !== null);
  return { country, region: region ?? null, city: nameOf(headers[first.city]) };
}

/** A readable name: UTF-8 decoded, percent-decoded. */
function nameOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? placeName(percentDecoded(utf8Decoded(header))) : null;
}

/** Node reads headers as latin1, where some CDNs write UTF-8. */
function utf8Decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
