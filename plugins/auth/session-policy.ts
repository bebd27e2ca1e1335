/** Answers `/v1/auth`: checks the body by the route's schema, lets the route act, records what it wrote, and sends its cookies. */
import { z } from 'zod';
import { PUBLIC_CALLER } from '../../services/shared/access/caller.ts';
import { recordAudit } from '../../services/shared/audit/record-audit.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { parseOrThrow, validationError } from '../../services/shared/errors/zod-details.ts';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import { sendJson, sendNothing } from '../../services/shared/plugin/reply.ts';
import type { GatewayRequest, RequestContext } from '../../services/shared/plugin/request-context.ts';
import { addressSubject } from '../../services/shared/rate-limit/public-limit.ts';
import type { AuthAnswer, AuthCall, AuthRoute } from './session/auth-route.ts';
import { authRoutes } from './session/routes.ts';
import { sessionParts } from './session/session-parts.ts';

export const sessionPolicy = definePolicy({
  name: 'session',
  schema: z.strictObject({}).describe('No parameters: the paths of /v1/auth stand on the apiEndpoint.'),
  create(_params, runtime) {
    const parts = sessionParts(runtime);
    const routes = new Map(authRoutes.map((route) => [`${route.method} ${route.path}`, route]));

    return async function session(req, res) {
      const { context } = req;
      const route = routes.get(`${req.method === 'HEAD' ? 'GET' : req.method} ${pathOf(req.url)}`);
      if (route === undefined) throw new ApiError('NOT_FOUND');
      context.addHeader('Cache-Control', 'no-store');
      const cookies: string[] = [];
      const addCookies = (): void => {
        for (const line of cookies) context.addHeader('Set-Cookie', line);
      };
      const call: AuthCall = {
        runtime,
        parts,
        body: bodyOf(route, req),
        caller: context.principal?.caller ?? PUBLIC_CALLER,
        rawHeaders: req.rawHeaders,
        requestId: context.requestId,
        passwordLine: addressSubject(context.address),
        setCookie: (line) => cookies.push(line),
      };
      const answer = await route.answer(call).catch((fault: unknown) => {
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

/** Stores the records of what was written. Without them the answer is that fault, and hands out no session. */
async function recordWrites(
  { audit, operationId }: AuthRoute,
  { written, takeBack }: AuthAnswer,
  { runtime, address, requestId }: RequestContext,
): Promise<void> {
  if (audit === undefined) return;
  if (!written) throw new TypeError(`${operationId} does not say what it wrote`);
  try {
    for (const { sessionId, userId, ...write } of written) {
      const actor = { kind: 'session', id: sessionId, userId } as const;
      await recordAudit(runtime, { ...write, actor, action: audit, address, requestId });
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
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw validationError([{ field: 'body', message: 'The body is not valid JSON.' }]);
  }
  return parseOrThrow(route.body.schema, value);
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
