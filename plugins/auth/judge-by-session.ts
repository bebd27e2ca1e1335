/** Judges a request without an API key by its session cookie, if its endpoint accepts one. */
import type { GatewayRequest, Next } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { storeFault } from '../kit/store-fault.ts';
import { otherOrganization } from './meant-organization.ts';
import type { Nobody } from './nobody.ts';
import { createReadSession, type SessionReading, sessionRefusal } from './read-session.ts';

/** Waits only for a session without a fresh verdict. */
export function createJudgeBySession(
  runtime: GatewayRuntime,
  nobody: Nobody,
): (req: GatewayRequest, next: Next) => void {
  const readSession = createReadSession(runtime);

  function accept(req: GatewayRequest, session: SessionReading): void {
    const { context } = req;
    const { access, endedSession } = context.endpoint;
    if (typeof session === 'object') {
      const refusal = otherOrganization(req, session);
      if (refusal === null) context.principal = session;
      else context.refuse(refusal);
    } else if (access === 'optional' || (session === 'ended' && endedSession === 'accepted'))
      context.principal = nobody();
    else context.refuse(sessionRefusal(session, access));
  }

  return function judgeBySession(req, next) {
    const session = readSession(req);
    if (!(session instanceof Promise)) {
      accept(req, session);
      next();
      return;
    }
    session.then(
      (judged) => {
        accept(req, judged);
        next();
      },
      (fault: unknown) => next(storeFault(fault)),
    );
  };
}
