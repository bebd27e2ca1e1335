/** Reads country, region and city from the headers of CDNs; the gateway lets only those of trusted proxies through. */
import { GEO_HEADERS } from '../../shared/http/geo-headers.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { NO_PLACE, type Place } from './client-traits.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longest name of a region or city, in UTF-16 units. */
const LONGEST_NAME = 128;

/** Codes that CDNs use for places they do not know, for Tor, and for what is no country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['XX', 'ZZ', 'T1', 'A1', 'A2', 'O1', 'AP', 'EU']);

const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/**
 * The place, all of it from one CDN. When two CDNs name different countries, none is believed: a client can add the
 * headers of a CDN that it does not come through.
 */
export function readPlace(headers: Headers): Place {
  const named = GEO_HEADERS.filter(({ country }) => headers[country] !== undefined);
  const [first, ...others] = named;
  if (first === undefined) return NO_PLACE;
  const country = countryOf(headers[first.country]);
  if (country === null || others.some((other) => countryOf(headers[other.country]) !== country)) {
    return NO_PLACE;
  }
  const region = first.region.map((name) => placeName(headers[name])).find((name) => name !== null);
  return { country, region: region ?? null, city: placeName(headers[first.city]) };
}

function countryOf(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || !/^[a-z]{2}$/i.test(header)) return null;
  const code = header.toUpperCase();
  return NO_COUNTRY.has(code) ? null : code;
}

/** A name as people read it: UTF-8 decoded, percent-decoded, clean and within its bound; null when it says nothing. */
function placeName(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const text = percentDecoded(utf8Decoded(header));
  const name = cleanText(text.replace(CONTROL_CHARACTERS, ' ')).trim();
  if (name === '' || name === '?' || /^(?:xx|zz|unknown)$/i.test(name)) return null;
  return cleanText(name.slice(0, LONGEST_NAME)).trim();
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
