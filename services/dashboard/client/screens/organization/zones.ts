/** The time zones that a browser knows, and what time it is in one. */

/** By name; UTC, which browsers leave out, stands first. */
export function zones(): string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}

/** Date and time there, in the words of a language; null: there is no such zone. */
export function timeIn(zone: string, language: string, now: number): string | null {
  try {
    return new Intl.DateTimeFormat(language, {
      timeZone: zone,
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(now);
  } catch {
    return null;
  }
}
