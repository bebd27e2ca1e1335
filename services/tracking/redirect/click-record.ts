/** Makes the event of a click: the same record as in every ingest route, with the link in it. */
import type { EventRecord } from '../../shared/model/event-record.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import type { ClientTraits } from '../client/client-traits.ts';
import { firstCharacters } from '../client/first-characters.ts';
import { makeRecord } from '../record/make-record.ts';
import type { VisitorKey } from '../salts/daily-salts.ts';
import type { KnownLink } from './known-links.ts';

const LONGEST_URL = 2_048;
/** A query string that names a campaign itself. */
const CAMPAIGN = /(?:^|&)utm_(?:source|medium|campaign|term|content)=[^&]/;

export interface Click {
  /** The client, of which only a hash of the day is kept. */
  readonly client: ClientTraits;
  readonly referrer: string | undefined;
  /** Of the short link as it was followed, without the question mark. */
  readonly queryString: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly visitorKey: VisitorKey;
}

/** The record. A campaign in the query string takes precedence over the one in the target's address. */
export function clickRecord({ link, website, campaign }: KnownLink, click: Click): EventRecord {
  const { client, referrer = '', queryString, now, visitorKey } = click;
  const path = queryString === '' ? `/${link.slug}` : `/${link.slug}?${queryString}`;
  return makeRecord(
    {
      name: 'link_click',
      path: cleanText(firstCharacters(path, LONGEST_URL)),
      referrer: cleanText(firstCharacters(referrer, LONGEST_URL)),
      ...(CAMPAIGN.test(queryString) ? {} : campaign),
    },
    { organizationId: link.organizationId, website },
    { now, visitorKey, client, isKeyless: true, linkId: link.id },
  );
}
