/** What a request costs: one, or by its body, which is inflated and parsed only for a caller who has something left. */
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { readBodyCost, scanBodyCost } from './body-cost.ts';
import type { EndpointLimits } from './endpoint-limits.ts';
import type { Charge, LimitUses } from './limit-uses.ts';
import type { SurelyRefused } from './surely-refused.ts';
import type { WebsiteLimit } from './website-limits.ts';

/** A body up to this size, in bytes, costs less to parse than to ask about. */
const SMALL_BODY_BYTES = 65_536;

/**
 * The charge of a request, or the 429 of one that is refused whatever its body contains. A body that is not JSON is
 * refused on the context.
 */
export type ChargeOf = (
  context: RequestContext,
  limits: EndpointLimits,
  website: WebsiteLimit | null,
) => Charge | Promise<Charge | ApiError>;

export function createChargeOf({ seemsFull, refusedFor }: SurelyRefused, limitUses: LimitUses): ChargeOf {
  /** Inflates a compressed body; returns the 429 of a caller who has nothing left for it. */
  async function inflate(context: RequestContext, single: Charge): Promise<ApiError | null> {
    const isUnsure = seemsFull(single);
    const refused = await refusedFor(context, single);
    // Others may have used up what was left by the time the turn to inflate comes.
    const isGivenUp =
      refused === null && (await context.inflate?.(() => isUnsure || !seemsFull(single))) === false;
    if (!isGivenUp) return refused;
    const refusedNow = await refusedFor(context, single);
    if (refusedNow === null) await context.inflate?.(() => true);
    return refusedNow;
  }

  /** By the content of the body, unless it must not be parsed or is not JSON. */
  function chargeOfBody(
    context: RequestContext,
    single: Charge,
    limits: EndpointLimits,
    website: WebsiteLimit | null,
  ): Charge {
    const things = orRefused(context, readBodyCost(context, context.endpoint.countedList));
    // A bad body is charged elsewhere than a single request; an inflated one is larger.
    const isSingle = things === 1 && context.refusal === null && !context.isInflated;
    return isSingle ? single : limitUses(context, limits, things, website);
  }

  /** For a large or compressed body. */
  async function chargeOfLarge(
    context: RequestContext,
    single: Charge,
    limits: EndpointLimits,
    website: WebsiteLimit | null,
  ): Promise<Charge | ApiError> {
    const refused = await inflate(context, single);
    if (refused !== null) return refused;
    if (context.endpoint.cost === 'request') {
      return context.refusal === null ? single : limitUses(context, limits, 1, website);
    }
    const least = orRefused(context, scanBodyCost(context, context.endpoint.countedList));
    if (least > 1 || context.isInflated) {
      const refusedNow = await refusedFor(context, limitUses(context, limits, least, website));
      if (refusedNow !== null) return refusedNow;
    }
    return chargeOfBody(context, single, limits, website);
  }

  return function chargeOf(context, limits, website) {
    const { body, endpoint, inflate: isCompressed, refusal } = context;
    const single = limitUses(context, limits, 1, website);
    const isRead = isCompressed !== null || (endpoint.cost === 'body' && body !== null);
    if (!isRead || refusal !== null) return single;
    if (isCompressed !== null || (body?.length ?? 0) > SMALL_BODY_BYTES) {
      return chargeOfLarge(context, single, limits, website);
    }
    orRefused(context, scanBodyCost(context, endpoint.countedList));
    return chargeOfBody(context, single, limits, website);
  };
}

/** The cost found for a body; a bad one is refused, and costs 1. */
function orRefused(context: RequestContext, found: number | ApiError): number {
  if (typeof found === 'number') return found;
  context.refuse(found);
  return 1;
}
