/** The websites of the organization, which several screens name: what one has read, the next need not ask for. */
import { useRef } from 'preact/hooks';
import { asMissing, type Fault } from './fault.ts';
import { recallAll } from './memory.ts';
import { type Read, useRead } from './use-read.ts';
import type { WebsiteView } from './wire.ts';

/** What every list of websites tells of one. */
export type WebsiteSummary = Pick<WebsiteView, 'id' | 'name' | 'domain' | 'createdAt'>;

/** All of them; `isWanted`: whether to ask at all. */
export function useWebsites(isWanted: boolean): Read<{ websites: readonly WebsiteSummary[] }> {
  return useRead(isWanted ? { path: '/v1/query/websites' } : null, { isKept: true });
}

/** The website, if a list or a screen before has told it. */
export function knownWebsite(id: string): WebsiteSummary | undefined {
  const lists = recallAll('/v1/websites').map(({ body }) => (body as { data: Summaries }).data);
  const all = recallAll('/v1/query/websites').map(({ body }) => (body as { websites: Summaries }).websites);
  return [...lists, ...all].flat().find((website) => website.id === id);
}
type Summaries = WebsiteSummary | readonly WebsiteSummary[];

/**
 * What an earlier screen told of the website, or else what the API says; that is asked too when the website may be gone.
 * `fault`: of what else the screen asks.
 */
export function useWebsite(id: string, known: WebsiteSummary | undefined, fault: Fault | undefined) {
  const isDoubtful = useRef(known === undefined);
  if (fault?.code === 'ACCESS_DENIED') isDoubtful.current = true;
  const website = useRead<{ data: WebsiteSummary }>(
    isDoubtful.current ? { path: `/v1/websites/${encodeURIComponent(id)}` } : null,
    { isKept: known === undefined },
  );
  return { summary: website.data?.data ?? known, website: { ...website, fault: asMissing(website.fault) } };
}
