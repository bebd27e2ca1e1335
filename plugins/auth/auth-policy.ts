/** Establishes who calls: a key alone decides when there is one, else the session cookie; a wrong key never becomes an anonymous call. */
import { z } from 'zod';
import { type Principal, publicPrincipal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import { limitRule } from '../../services/shared/plugin/plans.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';
import { createGuessBudget } from './guess-budget.ts';
import { createKeyIndex } from './key-index.ts';
import { createKeyVerdicts } from './key-verdicts.ts';
import { createLastUsed } from './last-used.ts';
import { readApiKey } from './read-api-key.ts';
import { createReadSession, readSessionFamily, type SessionReading, sessionRefusal } from './read-session.ts';
import { createVerdictMeasures } from './verdict-measures.ts';

/** How long one public principal, with the identity tokens signed for it, serves, in milliseconds. */
const PUBLIC_LIFE_MS = 4_000;

export const authPolicy = definePolicy({
  name: 'auth',
  schema: z.strictObject({}).describe('No parameters: the rule stands on the apiEndpoint.'),
  create(_params, runtime) {
    const readSession = createReadSession(runtime);
    const lastUsed = createLastUsed(runtime);
    runtime.onClose(() => lastUsed.close());
    const index = createKeyIndex(runtime);
    const verdicts = createKeyVerdicts({ ...runtime, index });
    runtime.onClose(() => {
      verdicts.close();
      index.close();
    });
    const measures = createVerdictMeasures(runtime.metrics, 'key');
    const mayGuess = createGuessBudget(runtime);
    /** Endpoints that let anybody in and count per session: the refresh, whose token names it. */
    const countsSessions = new Set<string>();
    for (const { name, access, limits } of runtime.endpoints.values()) {
      const bySession = limits.some((limit) => limitRule(runtime.plans, limit)?.per === 'session');
      if (access === 'public' && bySession) countsSessions.add(name);
    }
    let nobody = publicPrincipal();
    let nobodyStaleAtMs = 0;

    function anonymous(): Principal {
      const now = runtime.clock.now();
      if (now >= nobodyStaleAtMs) {
        nobody = publicPrincipal();
        nobodyStaleAtMs = now + PUBLIC_LIFE_MS;
      }
      return nobody;
    }

    function acceptSession(context: RequestContext, session: SessionReading): void {
      const { access, endedSession } = context.endpoint;
      if (typeof session === 'object') context.principal = session;
      else if (access === 'optional' || (session === 'ended' && endedSession === 'accepted'))
        context.principal = anonymous();
      else context.refuse(sessionRefusal(session, access));
    }

    function accept(context: RequestContext, principal: Principal | null): void {
      if (principal === null) {
        context.refuse(new ApiError('INVALID_API_KEY'));
        return;
      }
      context.principal = principal;
      const { id, kind, organizationId } = principal.caller;
      if (kind === 'key' && organizationId !== null) lastUsed.note(id, organizationId);
    }

    return function auth(req, _res, next) {
      const { context } = req;
      const { access } = context.endpoint;
      if (access === 'public') {
        context.principal = anonymous();
        if (countsSessions.has(context.endpoint.name))
          context.sessionFamily = readSessionFamily(req, runtime);
        next();
        return;
      }
      const reading = readApiKey(req.rawHeaders);
      if (reading === 'none' && access === 'keyless') {
        context.principal = anonymous();
        next();
        return;
      }
      context.judge = auth;
      if (reading === 'none') {
        const session = readSession(req);
        if (!(session instanceof Promise)) {
          acceptSession(context, session);
          next();
          return;
        }
        session.then(
          (judged) => {
            acceptSession(context, judged);
            next();
          },
          (fault: unknown) => next(storeFault(fault)),
        );
        return;
      }
      if (reading === 'refused') {
        context.refuse(
          new ApiError('INVALID_API_KEY', { text: 'The request names more than one API key; send one.' }),
        );
        next();
        return;
      }
      const verdict = verdicts.judge(reading.key, () => mayGuess(context.address));
      if (!(verdict instanceof Promise)) {
        (verdict === null ? measures.refused : measures.hit).add();
        accept(context, verdict);
        next();
        return;
      }
      measures.miss.add();
      verdict.then(
        (principal) => {
          accept(context, principal);
          next();
        },
        (fault: unknown) => next(storeFault(fault)),
      );
    };
  },
});

/** A store that cannot answer is 503, never INVALID_API_KEY. */
function storeFault(fault: unknown): ApiError {
  if (fault instanceof ApiError) return fault;
  return new ApiError('SERVICE_UNAVAILABLE', { cause: fault });
}
