/** What the auth and the session policy share in one gateway: tokens, sessions and the verdicts on them, made once. */

import type { Invalidation } from '../../../services/shared/ports/bus.ts';
import type { GatewayRuntime } from '../../kit/runtime.ts';
import { type AccessTokens, createAccessTokens } from './access-token.ts';
import { type AccountBudget, createAccountBudget } from './account-budget.ts';
import { usesSecureCookies } from './cookies.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh-token.ts';
import { createReadDevice, type ReadDevice } from './session-device.ts';
import { createSessionVerdicts, type SessionVerdicts } from './session-verdicts.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface SessionParts {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly sessions: Sessions;
  readonly verdicts: SessionVerdicts;
  readonly accountBudget: AccountBudget;
  readonly readDevice: ReadDevice;
  /** Says what was just written, here at once and to every other process, so that no verdict from before it serves on. */
  tell(changed: Invalidation): void;
}

const KEY = 'auth: session parts';

/** The parts of this gateway, made at the first call. */
export function sessionParts(runtime: GatewayRuntime): SessionParts {
  const known = runtime.policyInstances.get(KEY);
  if (known) return known as SessionParts;
  const { documents, clock, ids, cookieKey, randomBytes, scopes } = runtime;
  const secure = usesSecureCookies(runtime);
  const accessTokens = createAccessTokens(cookieKey, clock, secure);
  const refreshTokens = createRefreshTokens(cookieKey, randomBytes, secure);
  const verdicts = createSessionVerdicts({ documents, clock, scopes }, accessTokens);
  runtime.onClose(runtime.bus.subscribe((changed) => verdicts.forget(changed)));
  const parts: SessionParts = {
    accessTokens,
    refreshTokens,
    sessions: createSessions({ documents, clock, ids, tokens: refreshTokens }),
    verdicts,
    accountBudget: createAccountBudget(runtime),
    readDevice: createReadDevice(),
    tell: (changed) => runtime.bus.publish(changed),
  };
  runtime.policyInstances.set(KEY, parts);
  return parts;
}
