/** Identifies the caller by a token of an identity provider, in place of `auth`, before backends of the platform's own. */
import type { JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { createRemoteKeySet, type KeySetRules } from '../../services/shared/identity/remote-key-set.ts';
import { readCredentialHeaders } from '../kit/credential-headers.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { ParameterFault, StepPlace } from '../kit/policy.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { leastLeftMs } from '../kit/verdict-life.ts';
import { createVerdictMeasures } from '../kit/verdict-measures.ts';
import { createJudgeToken, type Verdict } from './judge-token.ts';
import { type JwtParams, jwtParams } from './jwt-params.ts';
import { createKnownOrganizations } from './organizations.ts';
import { createVerifyToken } from './verify-token.ts';

const MINUTE_MS = 60_000;
const KEY_SET: KeySetRules = {
  // An empty set is one: the provider trusts no key any more.
  schema: z.object({ keys: z.array(z.looseObject({})) }),
  maxBytes: 262_144,
  timeoutMs: 5_000,
  renewMs: 4 * MINUTE_MS,
  freshMs: 5 * MINUTE_MS,
  staleMs: 60 * MINUTE_MS,
  pauseMs: 10_000,
  retryMs: 1_000,
};

/** The keys of a provider outlive a reload: while it is down, a new configuration goes on with what the old one knew. */
function keySet(url: string, { kept, clock, logger }: GatewayRuntime): JWTVerifyGetKey {
  const name = `jwt keys ${url}`;
  const known = kept.get(name) as JWTVerifyGetKey | undefined;
  if (known !== undefined) return known;
  const made = createRemoteKeySet(url, KEY_SET, clock, (fault) => {
    if (fault === null) logger.info({ url }, 'the keys of an identity provider can be read again');
    else logger.warn({ err: fault, url }, 'the keys of an identity provider cannot be read');
  });
  kept.set(name, made);
  return made;
}

/** Why no request of this pipeline could be judged by a token, or none should be. */
function placeFaults({ service, services, endpoints }: StepPlace): ParameterFault[] {
  const step = (text: string): ParameterFault => ({ path: [], text });
  if (service === null) return [step('stands before backends alone, but its pipeline has no proxy')];
  const audience = services.get(service)?.audience ?? null;
  if (audience !== null)
    return [step(`"${service}" is the ${audience} service, which takes keys and sessions alone`)];
  return endpoints
    .filter(({ access }) => access !== 'scoped')
    .map(({ name, access }) =>
      step(`judges tokens by their scopes, but "${name}" declares access: ${access}; write scopes there`),
    );
}

/** Scopes that no configuration has, and endpoints that no token could open. */
function scopeFaults({ scopes: { oneOf } }: JwtParams, { scopes, endpoints }: StepPlace): ParameterFault[] {
  const path = ['scopes', 'oneOf'];
  const unknown = oneOf.flatMap((scope, index) =>
    scopes.includes(scope)
      ? []
      : [{ path: [...path, index], text: `no scope is named "${scope}"`, came: scope, allowed: scopes }],
  );
  const closed = endpoints.flatMap(({ name, scopes: needed }) => {
    const lacking = needed.filter((scope) => !oneOf.includes(scope));
    const text = `lacks ${lacking.join(', ')}: no token could open "${name}"`;
    return lacking.length === 0 ? [] : [{ path, text }];
  });
  return [...unknown, ...closed];
}

/** What is refused before any token is verified; null: the token decides. */
function refusalOf(read: ReturnType<typeof readCredentialHeaders>): ApiError | null {
  if (read === null || (read.apiKey !== '' && read.bearer !== '')) return new ApiError('INVALID_TOKEN');
  if (read.bearer !== '') return null;
  const text =
    'This needs a token of the identity provider in Authorization: Bearer. API keys and sessions do not count here.';
  return new ApiError('AUTH_REQUIRED', { text });
}

function accept(context: RequestContext, verdict: Verdict): void {
  if (verdict instanceof Principal) context.principal = verdict;
  else context.refuse(verdict);
}

export const jwtPolicy = defineGatewayPolicy({
  name: 'jwt',
  schema: jwtParams,
  check: (params, place) => [...placeFaults(place), ...scopeFaults(params, place)],
  explain({ issuer, audience, algorithms, organization, scopes }) {
    const payer =
      typeof organization === 'string'
        ? organization
        : `the one of ${organization.claim}, of ${organization.oneOf.length}`;
    const may = `${scopes.oneOf.join(', ')} by ${scopes.claim}`;
    return `takes tokens of ${issuer} for ${audience} (${algorithms.join(', ')}), and no key or session; organization: ${payer}; scopes: ${may}`;
  },
  create(params, runtime) {
    const { clock, logger, metrics, scopes } = runtime;
    const organizations = createKnownOrganizations(runtime);
    runtime.onClose(() => organizations.close());
    const keys = keySet(params.jwksUrl, runtime);
    const verify = createVerifyToken(params, { clock, logger, keys, known: scopes.names });
    const { judge } = createJudgeToken({ clock, issuer: params.issuer, verify, organizations });
    const measures = createVerdictMeasures(metrics, 'jwt');

    return function jwt({ context, rawHeaders }, _res, next) {
      // A request that waited for its body is judged again once the body has arrived.
      context.judge = jwt;
      const read = readCredentialHeaders(rawHeaders);
      const refusal = refusalOf(read);
      if (refusal !== null || read === null) {
        measures.refused.add();
        context.refuse(refusal ?? new ApiError('INVALID_TOKEN'));
        next();
        return;
      }
      const verdict = judge(read.bearer, leastLeftMs(context));
      if (!(verdict instanceof Promise)) {
        (verdict instanceof Principal ? measures.hit : measures.refused).add();
        accept(context, verdict);
        next();
        return;
      }
      verdict.then(
        (found) => {
          (found instanceof Principal ? measures.miss : measures.refused).add();
          accept(context, found);
          next();
        },
        (fault: unknown) => next(fault),
      );
    };
  },
});
