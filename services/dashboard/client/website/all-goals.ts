/** How all goals of a website are read that the API counts. */
import type { Reading } from '../exports/whole-list.ts';

export const ALL_GOALS: Reading = { rows: 100, pages: 10 };
