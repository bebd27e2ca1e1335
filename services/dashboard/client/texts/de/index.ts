/** German. */
import type { Texts } from '../pattern.ts';
import { entering } from './entering.ts';
import { frame } from './frame.ts';
import { limits } from './limits.ts';
import { now } from './now.ts';
import { organization } from './organization.ts';
import { overview } from './overview.ts';
import { refusal } from './refusal.ts';
import { scopes } from './scopes.ts';
import { states } from './states.ts';
import { website } from './website.ts';
import { websites } from './websites.ts';
import { words } from './words.ts';

export const de: Texts = {
  entering,
  frame,
  limits,
  now,
  organization,
  overview,
  refusal,
  scopes,
  states,
  website,
  websites,
  words,
};
