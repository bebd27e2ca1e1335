/** Paths that two readers take for different ones: no table decides by them, and no backend gets one. */

/**
 * Dot segments, encoded slashes, backslashes, NUL, and encoded unreserved characters (RFC 3986, 2.3): a backend might decode
 * what our table compares as received. Servers of Java drop what follows a semicolon first, so `..;x` is a dot segment there.
 */
const AMBIGUOUS =
  /(?:^|\/)(?:\.|%2e){1,2}(?:(?:;|%3b)[^/]*)?(?:\/|$)|%2f|%5c|\\|%00|%(?:2d|2e|3\d|4[1-9a-f]|5[\da]|5f|6[1-9a-f]|7[\da]|7e)/i;

/** Whether two programs could read this path differently: dot segments, encoded slashes, backslashes. */
export function isAmbiguous(path: string): boolean {
  return AMBIGUOUS.test(path);
}
