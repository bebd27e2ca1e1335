/**
 * Decides a request, which first takes its place in the password queue: if that sheds it, it gets a 503 that counts
 * nowhere.
 */
import type { PasswordPlace } from '../../services/shared/credentials/password-hasher.ts';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { CounterStore, LimitDecision } from '../../services/shared/ports/counter-store.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { Charge } from './limit-uses.ts';
import type { SurelyRefused } from './surely-refused.ts';

/** The counters' decision over all limits together, or the 429 of a request that took no place and counted nowhere. */
export type Decision = LimitDecision | ApiError;

type Decide = (context: RequestContext, charge: Charge) => Decision | Promise<Decision>;

export function createDecide({ refusedFor }: SurelyRefused, counters: CounterStore): Decide {
  async function decideInPlace(
    context: RequestContext,
    place: PasswordPlace,
    charge: Charge,
  ): Promise<Decision> {
    // It learns of a full window without taking a place.
    const refused = await refusedFor(context, charge);
    if (refused !== null) return refused;
    place.take();
    try {
      return await counters.decide(charge.subject, charge.uses);
    } catch (fault) {
      place.giveBack();
      throw fault;
    }
  }

  return function decide(context, charge) {
    const { passwordPlace: place, refusal } = context;
    return place === null || refusal !== null
      ? counters.decide(charge.subject, charge.uses)
      : decideInPlace(context, place, charge);
  };
}
