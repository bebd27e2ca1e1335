/** The shape of gateway.config.yml and system.config.yml: which keys exist, and what may stand there. Rules across keys are checked by themselves. */
import { z } from 'zod';
import { HOLDERS } from '../../services/shared/access/scope-catalogue.ts';
import { SELECTORS } from '../../services/shared/access/scope-rule.ts';
import { LONGEST_SCOPE, SCOPE_NAME } from '../../services/shared/access/scopes.ts';
import { SERVICES } from '../../services/shared/identity/identity-token.ts';
import { ROLES } from '../../services/shared/model/user.ts';
import { ENDPOINT_CLASSES } from '../../services/shared/plans/endpoint.ts';
import {
  BALANCES,
  breakerSchema,
  hashBalanceSchema,
  healthCheckSchema,
  MOST_ADDRESSES,
  retriesSchema,
  tokenIdentitySchema,
} from '../../services/shared/plans/service-endpoint.ts';
import { backendTlsSchema, httpsSchema } from './check-tls.ts';
import { METHODS } from './configuration.ts';
import { INCLUDE } from './merge-files.ts';

/** Names of endpoints, services, pipelines and plugins. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1)]);
const path = z.string().regex(/^\//);
const scopes = z.array(z.string()).min(1);
const expression = z.string().min(1);
const noneOr = <T extends z.ZodType>(schema: T) => z.union([z.literal('none'), schema]);
const headerNames = z.array(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/));

/** One entry of apiEndpoints. */
export const endpointShape = z
  .strictObject({
    paths: oneOrMore(path).describe('A path or a list: exact, with :parameter, or with a trailing /*.'),
    parameterPattern: expression.describe(
      'Regular expression that each parameter must match as a whole; another form is an unknown path.',
    ),
    methods: oneOrMore(z.enum(METHODS)).describe('Absent: every method. GET also answers HEAD.'),
    scopes: scopes.describe('Scopes that the key or session needs, all of them.'),
    scopesUnder: z
      .strictObject(Object.fromEntries(SELECTORS.map((selector) => [selector, scopes.optional()])))
      .describe('Scopes that are enough under a selector of the query.'),
    access: z
      .enum(['session', 'public', 'optional', 'keyless'])
      .describe('Who may ask without scopes; keyless stands beside scopes.'),
    roles: z.array(z.enum(ROLES)).min(1).describe('With access: session: which roles may ask.'),
    operators: z
      .literal(true)
      .describe(
        'With access: session: only people who run the service may ask; of any role, unless `roles` names some.',
      ),
    class: z.enum(ENDPOINT_CLASSES).describe('Group of the public limit. Default other.'),
    limits: z.array(z.string()).min(1).describe('Names of limits in plans.yml that apply besides the plan.'),
    plan: z
      .literal('none')
      .describe(
        'With access: session: requests count in the limits named here, not in the windows of the plan.',
      ),
    cost: z
      .union([z.literal('body'), z.strictObject({ list: z.literal('body'), of: z.string().optional() })])
      .describe('How the body is counted; absent: a request is one request.'),
    cors: z.literal('open').describe('Any web page may read the answers, without credentials.'),
    endedSession: z
      .literal('accepted')
      .describe('With access: session: the cookie of a session that is over passes as nobody.'),
    origin: z.literal('own').describe('With access: public: pages of other sites are refused.'),
    host: z.string().describe('Host; * stands for labels. Runs on express, which is slower.'),
    hostRegex: expression.describe('Host, as a regular expression. Runs on express.'),
    pathRegex: expression.describe('Path, as a regular expression, in place of paths. Runs on express.'),
  })
  .partial()
  .describe('A path and who may ask.');

/** One entry of serviceEndpoints. */
export const serviceShape = z
  .strictObject({
    url: z.string().describe('One origin, such as http://orders:4000; several comma-separated.'),
    urls: z.array(z.string()).min(1).max(MOST_ADDRESSES).describe('Several origins.'),
    audience: z
      .enum(SERVICES)
      .describe("Which of Tidegate's own services it is; absent for a foreign backend."),
    identity: z
      .union([z.literal('headers'), tokenIdentitySchema])
      .describe('What a foreign backend learns of the caller; absent: nothing.'),
    required: z
      .boolean()
      .describe('Whether the gateway is not ready without it. Own services true, foreign backends false.'),
    dropHeaders: headerNames.describe('Request headers that a client may not send to it, besides the usual.'),
    passHeaders: headerNames.describe('Those of the usual ones that may pass.'),
    balance: z
      .union([z.enum(BALANCES), hashBalanceSchema])
      .describe('How the next address is chosen. Default least-connections.'),
    healthCheck: noneOr(healthCheckSchema).describe('Asks each address by itself; none: off.'),
    breaker: noneOr(breakerSchema).describe('Takes an address out that fails requests; none: off.'),
    retries: retriesSchema.describe('How often a request is sent anew where that is safe. Default 1.'),
    openapi: z
      .string()
      .describe(
        'Absolute path of the OpenAPI document of a foreign backend (3.0 or 3.1), shown in /openapi.json.',
      ),
    tls: backendTlsSchema.describe('How the connection to addresses by https is made.'),
  })
  .partial()
  .describe('Where a service listens.');

const scopeShape = z.strictObject({
  text: z.string().min(1).max(200).describe('What the scope opens.'),
  holders: z.array(z.enum(HOLDERS)).min(1).optional().describe('Who may hold it. Default keys and sessions.'),
});

const named = <T extends z.ZodType>(schema: T) => z.record(z.string().regex(NAME), schema);

/** What files name that they include. */
export const includeShape = oneOrMore(z.string().min(1)).describe(
  'Further files *.yml or folders of them, by their paths from the configuration directory.',
);

/** The sections of gateway.config.yml; `step` is one policy of a pipeline. */
export function gatewayShape(step: z.ZodType) {
  const pipeline = z.strictObject({
    apiEndpoints: z.array(z.string()).min(1).describe('The endpoints that it answers.'),
    policies: z.array(step).min(1).describe('What their requests pass, in this order; the last one answers.'),
  });
  return z
    .strictObject({
      [INCLUDE]: includeShape,
      https: httpsSchema.describe('The certificate of the listener; absent: plain http.'),
      apiEndpoints: named(endpointShape).describe('Which paths exist, and who may ask.'),
      serviceEndpoints: named(serviceShape).describe('Where services listen.'),
      policies: z.array(z.string()).describe('The policies in use.'),
      pipelines: named(pipeline).describe('Which policies the requests of endpoints pass.'),
      scopes: z
        .record(z.string().regex(SCOPE_NAME).max(LONGEST_SCOPE), scopeShape)
        .describe('Every scope, those of the API among them. Absent: those of the API.'),
      roles: z
        .strictObject(Object.fromEntries(ROLES.map((role) => [role, z.array(z.string()).optional()])))
        .describe('Scopes that the sessions of each role hold. Absent: as shipped.'),
    })
    .partial();
}

/** The sections of gateway.config.yml. */
export const GATEWAY_SECTIONS = Object.keys(gatewayShape(z.unknown()).shape);

/** system.config.yml. */
export const systemShape = z
  .strictObject({
    [INCLUDE]: includeShape,
    plugins: named(z.looseObject({ package: z.string().describe('Absolute path of a manifest.') })).describe(
      'The plugins to load.',
    ),
    db: z
      .strictObject({
        redis: z.strictObject({
          emulate: z.literal(false),
          lazyConnect: z.literal(true),
          namespace: z.string().min(1),
        }),
      })
      .describe('Keeps express-gateway from opening a store of its own; leave it as shipped.'),
  })
  .partial();

/** The sections of system.config.yml. */
export const SYSTEM_SECTIONS = Object.keys(systemShape.shape);
