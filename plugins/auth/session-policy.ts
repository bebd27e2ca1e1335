/** Answers those routes of `/v1/auth` that its endpoint opens: checks the body by the route's schema, lets the route act, records what it wrote, and sends its cookies. */
import { z } from 'zod';
import { type Caller, PUBLIC_CALLER } from '../../services/shared/access/caller.ts';
import { actorOf, recordAudit } from '../../services/shared/audit/record-audit.ts';
import type { PasswordPlace } from '../../services/shared/credentials/password-hasher.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { parseOrThrow, validationError } from '../../services/shared/errors/zod-details.ts';
import { bodyText } from '../../services/shared/http/body-text.ts';
import { badJson } from '../../services/shared/http/json-fault.ts';
import { routeName } from '../../services/shared/http/route.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { sendJson, sendNothing } from '../kit/reply.ts';
import type { GatewayRequest, RequestContext } from '../kit/request-context.ts';
import { createReadSession } from './read-session.ts';
import type { AuthAnswer, AuthCall, AuthRoute } from './session/auth-route.ts';
import { placeOf } from './session/password-place.ts';
import { authRouteOf } from './session/routes.ts';
import { sessionParts } from './session/session-parts.ts';

export const sessionPolicy = defineGatewayPolicy({
  name: 'session',
  schema: z.strictObject({}).describe('No parameters: the paths of /v1/auth stand on the apiEndpoint.'),
  create(_params, runtime) {
    const parts = sessionParts(runtime);
    const readSession = createReadSession(runtime);

    return async function session(req, res) {
      const { context } = req;
      const asked = authRouteOf(req);
      if (asked === undefined) throw new ApiError('NOT_FOUND');
      const { route, params } = asked;
      if (context.endpoint.routes?.includes(routeName(route)) === false) throw new ApiError('NOT_FOUND');
      context.isPrivate = true;
      const cookies: string[] = [];
      const passwords = context.passwordPlace ?? placeOf(context);
      const addCookies = (): void => {
        for (const line of cookies) context.addHeader('Set-Cookie', line);
      };
      const call = (): AuthCall => ({
        runtime,
        parts,
        body: bodyOf(route, req),
        params,
        caller: callerOf(context),
        rawHeaders: req.rawHeaders,
        requestId: context.requestId,
        readSession: () => readSession(req),
        passwords,
        address: context.address,
        showLimit: (shown) => {
          context.shownLimit = shown;
        },
        setCookie: (line) => cookies.push(line),
      });
      const answer = await answerOf(route, call, passwords).catch((fault: unknown) => {
        addCookies();
        throw fault;
      });
      await recordWrites(route, answer, context);
      addCookies();
      if (answer.body === undefined) sendNothing(req, res);
      else sendJson(req, res, route.success.status, JSON.stringify(answer.body));
    };
  },
});

/** Who asks; `check` lets no token of an identity provider come here. */
function callerOf({ principal }: RequestContext): Caller {
  const caller = principal?.caller ?? PUBLIC_CALLER;
  if (caller.kind === 'jwt') throw new Error('no token of an identity provider opens /v1/auth');
  return caller;
}

/** The answer of a route, whose place is free for others then, whatever became of it. */
async function answerOf(
  route: AuthRoute,
  call: () => AuthCall,
  passwords: PasswordPlace,
): Promise<AuthAnswer> {
  try {
    return await route.answer(call());
  } finally {
    passwords.giveBack();
  }
}

/** Stores the records of what was written. Without them the answer is that fault, and hands out no session. */
async function recordWrites(
  { audit, operationId }: AuthRoute,
  { written, takeBack }: AuthAnswer,
  { gateway, address, requestId }: RequestContext,
): Promise<void> {
  if (audit === undefined) return;
  if (!written) throw new TypeError(`${operationId} does not say what it wrote`);
  try {
    for (const { sessionId, userId, ...write } of written) {
      const actor =
        sessionId === null ? actorOf(PUBLIC_CALLER) : ({ kind: 'session', id: sessionId, userId } as const);
      await recordAudit(gateway, { ...write, actor, action: audit, address, requestId });
    }
  } catch (fault) {
    await takeBack?.();
    throw fault;
  }
}

function bodyOf(route: AuthRoute, req: GatewayRequest): unknown {
  if (!route.body) return undefined;
  const { body } = req.context;
  if (body === null) throw validationError([{ field: 'body', message: 'A JSON body is required.' }]);
  const text = bodyText(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badJson(text);
  }
  return parseOrThrow(route.body.schema, value);
}
