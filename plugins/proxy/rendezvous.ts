/**
 * Which address a key stays with: the one with the highest weight for it (highest random weight hashing). Each address has
 * its own weights, so that one that leaves or joins moves nothing but its own share; and a bound on its load, so that one
 * busy key does not fill it.
 */
import crc32 from 'crc-32';

/** How many times the mean of the requests in flight an address may have. */
const LOAD_FACTOR = 1.25;

/** So many it may have whatever the mean: a few requests at once are no load, and a page makes a few. */
const FEW = 8;

/** The hash of a key, 32 bits. */
export function hashOf(key: string): number {
  return crc32.str(key);
}

/** The seed of the weights of an address. It depends on the address alone, so that all gateways agree. */
export function addressSeed(origin: string): number {
  return mixed(crc32.str(origin));
}

/** The weight of an address for the key with this hash, from 0 to 2^32 - 1. */
export function weightOf(hash: number, seed: number): number {
  return mixed(hash ^ seed) >>> 0;
}

/** How many requests an address may have before the next of `inFlight` + 1 over `count` addresses: there is always one with fewer. */
export function loadBound(inFlight: number, count: number): number {
  return Math.max(FEW, Math.ceil((LOAD_FACTOR * (inFlight + 1)) / count));
}

/** The last step of MurmurHash3: each bit of the input changes about half of those of the result. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
