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

  /**
   * One subject after the other, since no store decides over two at once: what is used up besides is looked at first, so that
   * a request that it refuses takes nothing, save when others were faster in between.
   */
  async function decideBoth(
    context: RequestContext,
    { subject, uses }: Charge,
    besides: NonNullable<Charge['besides']>,
  ): Promise<Decision> {
    const refused = await refusedFor(context, besides);
    if (refused !== null) return refused;
    const own = await counters.decide(subject, uses);
    const other = own.admitted
      ? await counters.decide(besides.subject, besides.uses)
      : { ...own, states: besides.uses.map((use) => counters.peek(besides.subject, use)) };
    return { ...other, states: [...own.states, ...other.states] };
  }

  return function decide(context, charge) {
    const { passwordPlace: place, refusal } = context;
    if (charge.besides !== undefined) return decideBoth(context, charge, charge.besides);
    return place === null || refusal !== null
      ? counters.decide(charge.subject, charge.uses)
      : decideInPlace(context, place, charge);
  };
}
