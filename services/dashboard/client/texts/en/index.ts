/** English. The pattern of all languages: what stands here must stand in each. */
import { account } from './account.ts';
import { audit } from './audit-records.ts';
import { entering } from './entering.ts';
import { frame } from './frame.ts';
import { ingest } from './ingest.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { members } from './members.ts';
import { now } from './now.ts';
import { organization } from './organization.ts';
import { overview } from './overview.ts';
import { platform } from './platform.ts';
import { refusal } from './refusal.ts';
import { requests } from './requests.ts';
import { scopes } from './scopes.ts';
import { sql } from './sql.ts';
import { states } from './states.ts';
import { website } from './website.ts';
import { websites } from './websites.ts';
import { words } from './words.ts';

export const en = {
  account,
  audit,
  entering,
  frame,
  ingest,
  keys,
  limits,
  members,
  now,
  organization,
  overview,
  platform,
  refusal,
  requests,
  scopes,
  sql,
  states,
  website,
  websites,
  words,
};
