/** Erases visitors (contract.md section 7). */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { selectedWebsite, type WebsiteSelector, websiteSelectorSchema } from '../website-selector.ts';
import { eraseVisitor, type VisitorPorts } from './erase-visitor.ts';

export type { VisitorPorts } from './erase-visitor.ts';

/** Longest identifier of a visitor, as ingest takes it, in UTF-16 units. */
const MAX_ID_LENGTH = 256;

const selectorSchema = websiteSelectorSchema('Only what this website holds of the visitor.');
const visitorSchema = selectorSchema.extend({
  anonymous_id: z.string('Name one visitor.').describe('The visitor, as events name it.'),
});

const COMMON = {
  method: 'DELETE',
  rule: { scopes: ['manage:websites'] },
  tags: ['visitors'],
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'SERVICE_UNAVAILABLE'],
  audit: 'visitor.erase',
} as const;

const WHAT_GOES =
  'Removes every event of the visitor that was stored before, and the record of which person it is: from the website that `website_id` names or, without it, from the whole organization, which needs global access. 204 also when there was nothing. The audit record holds a hash of the identifier. After a 503 the erasure continues in the background.';

const eraseByPath = defineRoute<VisitorPorts, undefined, WebsiteSelector>({
  ...COMMON,
  operationId: 'eraseVisitor',
  path: '/v1/visitors/:anonymousId',
  summary: 'Erase a visitor',
  description: `${WHAT_GOES} The identifier is percent-encoded; one with a slash or a backslash, or of dots alone, no path can carry: name it by \`DELETE /v1/visitors?anonymous_id=\`.`,
  query: selectorSchema,
  async handler({ caller, params, query }, ports) {
    const visitor = {
      anonymousId: idOf(params.anonymousId, 'anonymousId'),
      websiteId: selectedWebsite(query),
    };
    return { written: { targetId: await eraseVisitor(ports, caller, visitor) } };
  },
});

const eraseByQuery = defineRoute<VisitorPorts, undefined, z.infer<typeof visitorSchema>>({
  ...COMMON,
  operationId: 'eraseNamedVisitor',
  path: '/v1/visitors',
  summary: 'Erase a visitor whose identifier no path can carry',
  description: `${WHAT_GOES} Takes every identifier, as \`anonymous_id\`.`,
  query: visitorSchema,
  async handler({ caller, query }, ports) {
    const visitor = {
      anonymousId: idOf(query.anonymous_id, 'anonymous_id'),
      websiteId: selectedWebsite(query),
    };
    return { written: { targetId: await eraseVisitor(ports, caller, visitor) } };
  },
});

/** The identifier as ingest stored it. */
function idOf(came: string | undefined, field: string): string {
  const id = cleanText(came ?? '');
  if (id !== '' && id.length <= MAX_ID_LENGTH) return id;
  throw validationError([{ field, message: `Allowed: a text of 1 to ${MAX_ID_LENGTH} characters.` }]);
}

export const visitorRoutes: readonly Route<VisitorPorts>[] = [eraseByPath, eraseByQuery];
