/** GET /v1/links/slug: whether a link may have a slug, for forms that say so before anything is written. */
import { z } from 'zod';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { isSlug } from '../../shared/links/slug.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { IsReservedSlug } from './reserved-slugs.ts';

export interface SlugPorts {
  readonly documents: Pick<DocumentStore, 'links'>;
  readonly isReservedSlug: IsReservedSlug;
}

const SLUG_STATES = ['free', 'taken', 'reserved', 'malformed'] as const;

/** No slug is longer; what is much longer is no slug that somebody is typing. */
const LONGEST_ASKED = 200;

const querySchema = z.strictObject({
  slug: z.string().max(LONGEST_ASKED).describe('The slug to judge, as a link would have it.'),
});

const slugViewSchema = z.object({
  slug: z.string(),
  state: z
    .enum(SLUG_STATES)
    .describe(
      '`free`: a link may have it. `taken`: a link has it. `reserved`: the service itself answers there, or keeps it free. `malformed`: not 3 to 50 of A-Z a-z 0-9 _ -.',
    ),
});
export type SlugView = z.output<typeof slugViewSchema>;

export const linkSlugRoute: Route<SlugPorts> = defineRoute<
  SlugPorts,
  undefined,
  z.output<typeof querySchema>
>({
  operationId: 'judgeLinkSlug',
  method: 'GET',
  path: '/v1/links/slug',
  rule: { scopes: ['read:links'] },
  summary: 'Judge a slug',
  description:
    'Whether a new link may have this slug now. Slugs are unique over all organizations; whose link has it is not told. Nothing is kept free: the write decides.',
  tags: ['links'],
  query: querySchema,
  success: {
    status: 200,
    schema: z.object({ success: z.literal(true), data: slugViewSchema }),
    example: { success: true, data: { slug: 'summer-sale', state: 'taken' } },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ query: { slug } }, ports) {
    return { body: { success: true, data: { slug, state: await stateOf(slug, ports) } } };
  },
});

async function stateOf(slug: string, { documents, isReservedSlug }: SlugPorts): Promise<SlugView['state']> {
  if (isReservedSlug(slug)) return 'reserved';
  if (!isSlug(slug)) return 'malformed';
  return (await documents.links.findUnique('slug', [slug])) === null ? 'free' : 'taken';
}
