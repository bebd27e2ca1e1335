/** What numbers and addresses of the platform are shown as. */

/** What is less than a half of it would be shown as nothing. */
export const LEAST = 0.1;

/** To one decimal, and never 0 of something, which is `little`; null where nothing was measured. */
export function shownNumber(value: number | null): number | 'little' | null {
  if (value === null) return null;
  return value > 0 && value < LEAST / 2 ? 'little' : Math.round(value * 10) / 10;
}

/** As the gateway names what it calls in its own process; no host can have such a name (RFC 2606). */
export const isInProcess = (address: string): boolean => /^http:\/\/[a-z]+\.invalid$/.test(address);
