/** English names of countries by their ISO 3166-1 alpha-2 code, as the Unicode CLDR of the runtime has them. */

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** CLDR codes that are not countries: world regions, unknown and pseudo codes. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);

function countryNames(): Readonly<Record<string, string>> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return Object.fromEntries(
    codes.flatMap((code) => {
      const name = NO_COUNTRIES.has(code) ? undefined : names.of(code);
      // An outdated code, such as SU, has the name of its successor; stored codes are never outdated.
      return name === undefined || name === code ? [] : [[code, name]];
    }),
  );
}

/** Name by code; codes that are not countries are absent. */
export const COUNTRY_NAMES: Readonly<Record<string, string>> = countryNames();
