/** German. */
import type { Texts } from '../pattern.ts';
import { account } from './account.ts';
import { audit } from './audit-records.ts';
import { entering } from './entering.ts';
import { frame } from './frame.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { members } from './members.ts';
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
  account,
  audit,
  entering,
  frame,
  keys,
  limits,
  members,
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
