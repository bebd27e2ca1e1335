/** Loads undici's client when something is first asked through it: it takes 5 MB, and many processes never do; its faults are small. */
import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const load = createRequire(import.meta.url);

/** The classes of its faults. */
export const errors: typeof Undici.errors = load('undici/lib/core/errors.js');

export function undici(): typeof Undici {
  return load('undici');
}
