/** Reads a database of places by address (MaxMind DB 2.0, the format of GeoLite2 and DB-IP), validated before use. */
import { isIP } from 'node:net';
import { type CityResponse, Reader } from 'mmdb-lib';
import { NO_PLACE, type Place } from '../client/client-traits.ts';
import { countryCode, placeName } from '../client/place-text.ts';

/** Types whose records hold places; others hold networks, providers and the like. */
const PLACES = /city|country|location|enterprise/i;
/** Zeros between the tree and its data (MaxMind DB 2.0, data section separator). */
const SEPARATOR_BYTES = 16;
/** Looked up to validate the file: addresses from all parts of the tree. */
const PROBES = ['1.1.1.1', '8.8.8.8', '81.2.69.160', '130.1.2.3', '200.7.8.9', '223.255.255.255'];
const PROBES_V6 = ['2001:200::1', '2400::1', '2606:4700::1', '2a02:d000::1', '2c0f:fff0::1'];

/** The place of an address, all null if it is unknown or not an address; never throws. */
export type LocateAddress = (address: string) => Place;

export interface PlaceDatabase {
  readonly locate: LocateAddress;
  /** Such as `GeoLite2-City`. */
  readonly type: string;
  readonly builtAt: Date;
}

/** The database in `bytes`, which it keeps. @throws Error that says what is wrong with it */
export function readPlaceDatabase(bytes: Buffer): PlaceDatabase {
  const reader = opened(bytes);
  const { databaseType: type, buildEpoch, ipVersion, searchTreeSize, nodeCount } = reader.metadata;
  const separator = bytes.subarray(searchTreeSize, searchTreeSize + SEPARATOR_BYTES);
  const isWhole =
    nodeCount > 0 && separator.length === SEPARATOR_BYTES && separator.every((byte) => byte === 0);
  if (!isWhole || (ipVersion !== 4 && ipVersion !== 6)) throw new Error('it is damaged or incomplete');
  if (typeof type !== 'string' || !PLACES.test(type)) {
    throw new Error(
      `it is a database of type "${type}", which holds no places; use one of cities or countries`,
    );
  }
  const take = (address: string): Place => {
    const record = reader.get(address);
    return record === null ? NO_PLACE : placeOf(record);
  };
  try {
    for (const address of ipVersion === 6 ? [...PROBES, ...PROBES_V6] : PROBES) take(address);
  } catch (cause) {
    throw new Error('it is damaged: an address cannot be looked up', { cause });
  }
  return {
    type,
    builtAt: buildEpoch,
    locate(address) {
      const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
      // An IPv4 tree would return arbitrary answers for an IPv6 address.
      const kind = isIP(plain);
      if (kind === 0 || kind > ipVersion) return NO_PLACE;
      try {
        return take(plain);
      } catch {
        // A damaged record must not cost an event, and the address must not be logged.
        return NO_PLACE;
      }
    },
  };
}

function opened(bytes: Buffer): Reader<CityResponse> {
  try {
    return new Reader<CityResponse>(bytes);
  } catch (cause) {
    throw new Error('it is not a MaxMind DB, or incomplete', { cause });
  }
}

/** In the form of CDN headers: a two-letter code, English names. */
function placeOf({ country, subdivisions, city }: Partial<CityResponse>): Place {
  const code = countryCode(country?.iso_code);
  if (code === null) return NO_PLACE;
  const [region] = subdivisions ?? [];
  return {
    country: code,
    region: placeName(region?.names?.en ?? region?.iso_code),
    city: placeName(city?.names?.en),
  };
}
