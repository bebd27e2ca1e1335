/** What the auth and the session policy share in one gateway: tokens, sessions and the verdicts on them, made once. */
import type { GatewayRuntime } from '../../../services/shared/plugin/runtime.ts';
import { type AccessTokens, createAccessTokens } from './access-token.ts';
import { createRefreshTokens, type RefreshTokens } from './refresh-token.ts';
import { createSessionVerdicts, type Forgotten, type SessionVerdicts } from './session-verdicts.ts';
import { createSessions, type Sessions } from './sessions.ts';

export interface SessionParts {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly sessions: Sessions;
  readonly verdicts: SessionVerdicts;
  /** Says what was just written, so that no verdict from before it serves on: the one place where that is said. */
  tell(changed: Forgotten): void;
}

const KEY = 'auth: session parts';

/** The parts of this gateway, made at the first call. */
export function sessionParts(runtime: GatewayRuntime): SessionParts {
  const known = runtime.policyInstances.get(KEY);
  if (known) return known as SessionParts;
  const { documents, clock, ids, cookieKey, randomBytes } = runtime;
  const accessTokens = createAccessTokens(cookieKey, clock);
  const refreshTokens = createRefreshTokens(cookieKey, randomBytes);
  const verdicts = createSessionVerdicts(documents, clock, accessTokens);
  const parts: SessionParts = {
    accessTokens,
    refreshTokens,
    sessions: createSessions({ documents, clock, ids, tokens: refreshTokens }),
    verdicts,
    tell: (changed) => verdicts.forget(changed),
  };
  runtime.policyInstances.set(KEY, parts);
  return parts;
}
