/** Finds stored short links that answer no more, because a route of the configuration has their address. */
import type { Logger } from 'pino';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { takenSlugs } from '../../configuration/served-segments.ts';

export interface TakenLink {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  /** What answers in its place, in words. */
  readonly answeredBy: string;
}

/** In the order of the configuration; one look-up for each path that may be a slug. */
export async function findTakenLinks(
  documents: Pick<DocumentStore, 'links'>,
  configuration: Pick<Configuration, 'endpoints'>,
): Promise<TakenLink[]> {
  const found = await Promise.all(
    [...takenSlugs(configuration)].map(async ([slug, answeredBy]) => {
      const link = await documents.links.findUnique('slug', [slug]);
      return link === null ? [] : [{ id: link.id, organizationId: link.organizationId, slug, answeredBy }];
    }),
  );
  return found.flat();
}

/** What is the matter with a link, and what to do. */
export function takenLinkText({ id, organizationId, slug, answeredBy }: TakenLink): string {
  return `the link ${id} of organization ${organizationId} has the slug "${slug}", and ${answeredBy} answers /${slug}: give the link another slug (PATCH /v1/links/${id} {"slug": "…"}), or delete it`;
}

/** A line for each. They are no reason not to start: everything else works. */
export function warnOfTakenLinks(links: readonly TakenLink[], logger: Logger): void {
  for (const link of links) logger.warn(takenLinkText(link));
}
