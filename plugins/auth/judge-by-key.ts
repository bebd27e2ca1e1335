/** Judges a request by its API key; the key alone decides, whatever else the request carries. */
import type { Principal } from '../../services/shared/access/principal.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Next, RequestContext } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { storeFault } from '../kit/store-fault.ts';
import { leastLeftMs } from '../kit/verdict-life.ts';
import { createVerdictMeasures } from '../kit/verdict-measures.ts';
import { createGuessBudget } from './guess-budget.ts';
import { createKeyIndex } from './key-index.ts';
import { createKeyVerdicts } from './key-verdicts.ts';
import { createLastUsed } from './last-used.ts';

/** Waits only for a key without a fresh verdict. */
export function createJudgeByKey(
  runtime: GatewayRuntime,
): (context: RequestContext, key: string, next: Next) => void {
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

  function accept(context: RequestContext, principal: Principal | null): void {
    if (principal === null) {
      context.refuse(new ApiError('INVALID_API_KEY'));
      return;
    }
    context.principal = principal;
    const { id, kind, organizationId } = principal.caller;
    if (kind === 'key' && organizationId !== null) lastUsed.note(id, organizationId);
  }

  return function judgeByKey(context, key, next) {
    const verdict = verdicts.judge(key, () => mayGuess(context.address), leastLeftMs(context));
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
}

/** For a request whose headers do not agree on one key. */
export function severalKeys(): ApiError {
  return new ApiError('INVALID_API_KEY', { text: 'The request names more than one API key; send one.' });
}
