/** The form of countries, regions and cities in events, whether from the headers of a CDN or from a database. */
import { cleanText } from '../../shared/text/clean-text.ts';

/** Longest name of a region or city, in UTF-16 units. */
const LONGEST_NAME = 128;

/** Codes for unknown places, for Tor, and for what is not a country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['XX', 'ZZ', 'T1', 'A1', 'A2', 'O1', 'AP', 'EU']);

const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** ISO 3166-1 alpha-2 in upper case; null if it is not a country. */
export function countryCode(text: unknown): string | null {
  if (typeof text !== 'string' || !/^[a-z]{2}$/i.test(text)) return null;
  const code = text.toUpperCase();
  return NO_COUNTRY.has(code) ? null : code;
}

/** A readable name: clean and within its bound; null if it is empty or means "unknown". */
export function placeName(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const name = cleanText(text.replace(CONTROL_CHARACTERS, ' ')).trim();
  if (name === '' || name === '?' || /^(?:xx|zz|unknown)$/i.test(name)) return null;
  return cleanText(name.slice(0, LONGEST_NAME)).trim();
}
