/** The websites of the organization, which several screens name: what one has read, the next need not ask for. */
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
