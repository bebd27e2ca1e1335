/** What every language must say: English is the pattern. */
import type { en } from './en/index.ts';

export type Texts = typeof en;
