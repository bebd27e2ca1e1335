/** How long ago something was, or how long it is until something, in the one unit that it is told in. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * Whole units from now back to an instant, as a number that is not above 0, and the unit. Both in milliseconds since 1970. What was
 * cannot lie ahead: when this clock is behind the server's, it was now.
 */
export function agoOf(instant: number, now: number): readonly [number, (typeof UNITS)[number][0]] {
  const seconds = Math.max(0, Math.round((now - instant) / 1000));
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3];
  return [0 - Math.floor(seconds / size), unit];
}

/** Whole units from now until an instant, as a number that is not below 0, and the unit. Both in milliseconds since 1970. */
export function untilOf(instant: number, now: number): ReturnType<typeof agoOf> {
  const [count, unit] = agoOf(now, instant);
  return [0 - count, unit];
}
