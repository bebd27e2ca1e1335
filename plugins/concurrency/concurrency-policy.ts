/** Refuses a request while too many of its caller are under way, so that slow requests of one caller leave room for others. */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { noPlace, PLACE_SUBJECTS, Places, placeHolder } from '../kit/places.ts';

const most = z.number().int().min(1).max(100_000);

const concurrencyParams = z.strictObject({
  most: most.describe('How many requests may be under way, in each process of the gateway.'),
  per: z
    .enum(PLACE_SUBJECTS)
    .default('organization')
    .describe(
      'Whose requests count together. Those without a credential count by address. Default organization.',
    ),
  plans: z
    .record(z.string(), most)
    .default({})
    .describe('By the name of a price plan: the number of its callers, in place of `most`. Default: none.'),
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,49}$/, 'must be in kebab-case, such as reports')
    .default('requests')
    .describe('Steps of the same name count together. Default requests.'),
});

export const concurrencyPolicy = defineGatewayPolicy({
  name: 'concurrency',
  schema: concurrencyParams,
  unconditional: true,
  check({ plans }, place) {
    const unknown = Object.keys(plans).filter((name) => !place.plans.includes(name));
    const faults = unknown.map((name) => ({
      path: ['plans', name],
      text: `no price plan is named "${name}"`,
      came: name,
      allowed: place.plans,
    }));
    if (place.before.includes('rate-limit')) return faults;
    const text = 'stands before "rate-limit": requests that it refuses would go uncounted, or take places';
    return [...faults, { path: [], text }];
  },
  explain({ most: usual, per, plans }) {
    const byPlan = Object.entries(plans).map(([name, number]) => `${number} on the plan ${name}`);
    return `at most ${[usual, ...byPlan].join(', ')} under way per ${per}, in each process`;
  },
  create({ most: usual, per, plans, name }, { clock, kept }) {
    const key = `concurrency ${per} ${name}`;
    const places = (kept.get(key) as Places | undefined) ?? new Places();
    kept.set(key, places);
    const byPlan = new Map(Object.entries(plans));
    return function concurrency(req, res, next) {
      const { context } = req;
      const plan = context.principal?.caller.plan ?? null;
      const number = plan === null ? usual : (byPlan.get(plan) ?? usual);
      if (places.take(placeHolder(context, per), number, res, req.socket)) {
        next();
        return;
      }
      const text = `At most ${number} requests may be under way at a time; wait for one to end, then try again.`;
      next(noPlace(context, number, clock.now(), 'concurrency', text));
    };
  },
});
