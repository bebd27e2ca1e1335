/** Which backend a caller gets by its share: the same caller the same one, as long as the shares stay. */
import crc32 from 'crc-32';

/** Whole percents of the callers, by the name of the backend; the rest stay with the backend of the proxy. */
export type Shares = Readonly<Record<string, number>>;

export const ALL = 100;

/**
 * The backend of each caller; null: that of the proxy. Shares lie side by side in the order of the file, and a caller stands at
 * a place from 0 to 99 that the name of the first backend and the caller decide. So a share that grows takes callers from
 * those behind it and from the proxy's backend, and sends nobody back there.
 */
export function createBackendOf(shares: Shares): (caller: string) => string | null {
  const names = Object.keys(shares);
  const places: (string | null)[] = names.flatMap((name) => Array<string>(shares[name] ?? 0).fill(name));
  const [first = ''] = names;
  // Other canaries begin with other callers.
  const seed = crc32.str(`${first}\n`);
  return (caller) => places[(crc32.str(caller, seed) >>> 0) % ALL] ?? null;
}
