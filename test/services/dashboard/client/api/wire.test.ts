/**
 * Holds the types by which the pages read answers against the answers that the API describes: each lists its own fields here, which
 * compiles only when none is missing and none is too many, and the description has the same.
 */
import { expect } from 'chai';
import type {
  AnnotationView,
  ApiKeyView,
  AuditName,
  AuditRecordView,
  DatasetAnswer,
  FlagView,
  FunnelView,
  GoalView,
  LimitInForce,
  LinkView,
  MemberView,
  OwnOrganization,
  PlanAdmission,
  QueryAnswer,
  RequestCounts,
  SavedViewView,
  SessionView,
  ShareView,
  ShownShare,
  TargetGroupView,
  WebsiteView,
} from '../../../../../services/dashboard/client/api/wire.ts';
import {
  type Document,
  describedBy,
  operationsOf,
  resolved,
  shippedConfiguration,
} from '../../../../support/shipped-description.ts';

const fieldsOf = <T>(fields: Readonly<Record<keyof T & string, true>>): string[] => Object.keys(fields);

const KEPT = { id: true, organizationId: true, createdAt: true, updatedAt: true, createdBy: true } as const;
const IN_WEBSITE = { ...KEPT, websiteId: true, name: true } as const;

/** By operation: where in its answer, and the fields that are read there. */
const READ: readonly (readonly [operation: string, place: string, fields: string[]])[] = [
  [
    'GET /v1/websites',
    'data[]',
    fieldsOf<WebsiteView>({
      ...{ id: true, name: true, domain: true, isPublic: true, settings: true },
      ...{ createdAt: true, updatedAt: true },
    }),
  ],
  [
    'GET /v1/goals',
    'data[]',
    fieldsOf<GoalView>({
      ...IN_WEBSITE,
      ...{ type: true, match: true, conditions: true, revenueProperty: true, currency: true, position: true },
    }),
  ],
  [
    'GET /v1/funnels',
    'data[]',
    fieldsOf<FunnelView>({
      ...IN_WEBSITE,
      ...{ steps: true, ordered: true, windowSeconds: true, exclude: true },
    }),
  ],
  [
    'GET /v1/shares',
    'data[]',
    fieldsOf<ShareView>({
      ...IN_WEBSITE,
      ...{ view: true, expiresAt: true, token: true, datasets: true, origins: true, hasPassword: true },
    }),
  ],
  ['GET /v1/views', 'data[]', fieldsOf<SavedViewView>({ ...IN_WEBSITE, state: true, shared: true })],
  [
    'GET /v1/annotations',
    'data[]',
    fieldsOf<AnnotationView>({ ...KEPT, websiteId: true, at: true, text: true, shared: true }),
  ],
  [
    'GET /v1/links',
    'data[]',
    fieldsOf<LinkView>({
      ...{ ...IN_WEBSITE, slug: true, targetUrl: true, expiresAt: true, expiredRedirectUrl: true },
      ...{ iosUrl: true, androidUrl: true, ogTitle: true, ogDescription: true, ogImageUrl: true, tags: true },
    }),
  ],
  [
    'GET /v1/flags',
    'data[]',
    fieldsOf<FlagView>({
      ...{ ...IN_WEBSITE, key: true, description: true, type: true, status: true, defaultValue: true },
      ...{ payload: true, rolloutPercentage: true, rolloutBy: true, rules: true, variants: true },
      ...{ dependencies: true, environment: true, targetGroupIds: true },
    }),
  ],
  [
    'GET /v1/target-groups',
    'data[]',
    fieldsOf<TargetGroupView>({ ...KEPT, name: true, description: true, color: true, rules: true }),
  ],
  [
    'GET /v1/api-keys',
    'data[]',
    fieldsOf<ApiKeyView>({
      ...{ ...KEPT, name: true, start: true, last4: true, scopes: true, unknownScopes: true, access: true },
      ...{ enabled: true, expiresAt: true, revokedAt: true, lastUsedAt: true, previousValidUntil: true },
    }),
  ],
  [
    'GET /v1/members',
    'data[]',
    fieldsOf<MemberView>({
      ...{ id: true, status: true, userId: true, email: true, name: true, role: true },
      ...{ expiresAt: true, createdAt: true },
    }),
  ],
  [
    'GET /v1/audit',
    'data[]',
    fieldsOf<AuditRecordView>({
      ...{ id: true, at: true, actor: true, action: true, targetId: true, fields: true },
      ...{ address: true, requestId: true },
    }),
  ],
  ['GET /v1/audit', 'names[]', fieldsOf<AuditName>({ id: true, kind: true, name: true })],
  [
    'GET /v1/organization',
    'data',
    fieldsOf<OwnOrganization>({
      ...{ id: true, name: true, slug: true, timezone: true, settings: true, plan: true, limits: true },
      ...{ ownLimits: true, usage: true, createdAt: true, updatedAt: true },
    }),
  ],
  [
    'GET /v1/auth/session',
    'data',
    fieldsOf<SessionView['data']>({
      ...{ sessionId: true, user: true, organizations: true, activeOrganizationId: true, active: true },
      ...{ scopes: true, listedScopes: true, roleScopes: true, accessExpiresAt: true },
    }),
  ],
  [
    'GET /v1/usage/limits',
    'data[]',
    fieldsOf<LimitInForce>({
      ...{ name: true, per: true, subject: true, windowSeconds: true, window: true, counts: true },
      ...{ limit: true, used: true, remaining: true, reset: true, enforced: true, key: true },
      ...{ session: true, endpoints: true },
    }),
  ],
  [
    'GET /v1/usage/requests',
    'data',
    fieldsOf<RequestCounts>({
      ...{ granularity: true, start: true, end: true, requests: true, rows: true, moreRows: true },
    }),
  ],
  [
    'GET /v1/usage/plans',
    'data',
    fieldsOf<PlanAdmission>({
      ...{ granularity: true, start: true, end: true, plan: true, per10Seconds: true, perMinute: true },
      ...{ perDay: true, perMonth: true, refused: true, minutes: true, larger: true },
    }),
  ],
  ['POST /v1/query', 'results[]', fieldsOf<QueryAnswer>({ queryId: true, data: true, meta: true })],
  [
    'POST /v1/query',
    'results[].data[]',
    fieldsOf<DatasetAnswer>({
      ...{ parameter: true, success: true, data: true, error: true, cursor: true, compare: true },
    }),
  ],
  [
    'POST /public/v1/shares/:token/unlock',
    'data.share',
    fieldsOf<ShownShare>({
      ...{ name: true, datasets: true, timezone: true, preset: true, from: true, to: true },
      ...{ granularity: true, hasParts: true },
    }),
  ],
];

type Schema = Readonly<{
  properties?: Readonly<Record<string, Schema>>;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}>;

/** The first alternative that has the whole way to the place, such as `results[].data[]`. */
function schemaAt(
  document: Document,
  schema: Schema | undefined,
  way: readonly string[],
): Schema | undefined {
  if (schema === undefined) return undefined;
  const { properties, items, anyOf, oneOf } = resolved(document, schema);
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) {
    const found = alternatives.map((each) => schemaAt(document, each, way));
    return found.find((each) => each !== undefined);
  }
  const [step, ...rest] = way;
  if (step === undefined) return properties && { properties };
  return schemaAt(document, step === '[]' ? items : properties?.[step], rest);
}

describe('the types of answers that the pages read', () => {
  let document: Document;
  before(async () => {
    document = describedBy(await shippedConfiguration());
  });

  for (const [operation, place, fields] of READ) {
    it(`have the fields that the API describes: ${operation}, ${place}`, () => {
      const answer = operationsOf(document).get(operation)?.responses['200'];
      expect(answer, 'the operation answers 200').not.to.equal(undefined);
      const content = resolved(document, answer ?? {}).content?.['application/json'];
      const way = place.match(/\w+|\[\]/g) ?? [];
      const described = schemaAt(document, content?.schema as Schema | undefined, way);
      expect(Object.keys(described?.properties ?? {})).to.have.members(fields);
    });
  }
});
