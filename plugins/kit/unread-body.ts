/** How a body is refused before it is read: the rate-limit policy offers the judgement, and the body policy asks for it. */
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { GatewayRequest } from './request-context.ts';
import type { GatewayRuntime } from './runtime.ts';

/**
 * The 429 of a request whose body has at least this many plain bytes, if it is refused whatever it contains. Null at
 * once when this process sees no reason; else the counters are asked, and nothing counts. Never rejects.
 */
export type JudgeUnread = (req: GatewayRequest, bytes: number) => Promise<ApiError | null> | null;

const KEY = 'rate-limit: bodies not read yet';

/** Answers {@link judgeUnread} from now on, in this gateway. */
export function offerJudgeUnread(runtime: GatewayRuntime, judge: JudgeUnread): void {
  runtime.policyInstances.set(KEY, judge);
}

/** The rate-limit policy's answer; null where there is none. */
export const judgeUnread: JudgeUnread = (req, bytes) => {
  const judge = req.context.gateway.policyInstances.get(KEY) as JudgeUnread | undefined;
  return judge === undefined ? null : judge(req, bytes);
};
