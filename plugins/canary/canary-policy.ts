/** Sends some requests to another backend than the proxy's: a share of the callers, or those that a rule names. */
import { z } from 'zod';
import { addressSubject } from '../../services/shared/plans/public-limit.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import type { ParameterFault, StepPlace } from '../kit/policy.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { fitsOf, meant, ruleSchema } from './rules.ts';
import { ALL, createBackendOf } from './shares.ts';

const CALLERS = ['organization', 'user', 'address'] as const;
type CallerKind = (typeof CALLERS)[number];

const canaryParams = z
  .strictObject({
    weights: z
      .record(z.string(), z.number().int().min(0).max(ALL))
      .default({})
      .describe(
        'Percent of the callers by the name of a serviceEndpoint; the rest get the one of proxy. Default: none.',
      ),
    per: z
      .enum(CALLERS)
      .default('organization')
      .describe(
        'What stays with one backend. A caller that has none of it counts by address. Default organization.',
      ),
    rules: z
      .array(ruleSchema)
      .max(ALL)
      .default([])
      .describe('Requests whose backend is fixed; the first rule that fits decides. Default: none.'),
  })
  .superRefine(({ weights, rules }, context) => {
    const total = Object.values(weights).reduce((sum, each) => sum + each, 0);
    if (total > ALL)
      context.addIssue({
        code: 'custom',
        path: ['weights'],
        message: `add up to ${total}, more than ${ALL}`,
      });
    if (Object.keys(weights).length === 0 && rules.length === 0) context.addIssue('needs weights or rules');
  });

type Params = z.infer<typeof canaryParams>;

/** The backends by name, each with its place in the parameters. */
function named({ weights, rules }: Params): [name: string, path: (string | number)[]][] {
  return [
    ...Object.keys(weights).map((name): [string, string[]] => [name, ['weights', name]]),
    ...rules.map(({ to }, index): [string, (string | number)[]] => [to, ['rules', index, 'to']]),
  ];
}

/** Why a backend cannot take requests of this pipeline; null: it can. */
function backendFault(name: string, path: (string | number)[], place: StepPlace): ParameterFault | null {
  const { services, service: proxied } = place;
  const found = services.get(name);
  if (found === undefined) {
    return {
      path,
      text: `no serviceEndpoint is named "${name}"`,
      came: name,
      allowed: [...services.keys()],
    };
  }
  if (path[0] === 'weights' && name === proxied) {
    return { path, text: `"${name}" is the backend of proxy, which gets the rest by itself`, came: name };
  }
  const usual = proxied === null ? undefined : services.get(proxied);
  if (usual === undefined || usual.audience === found.audience) return null;
  const kind = (audience: string | null) =>
    audience === null ? 'a foreign backend' : `the ${audience} service`;
  const text = `"${name}" is ${kind(found.audience)}, but "${proxied}" is ${kind(usual.audience)}: they know callers in other ways`;
  return { path, text, came: name };
}

/** Who stays with one backend. */
function callerOf({ principal, address }: RequestContext, per: CallerKind): string {
  const caller = principal?.caller;
  if (per === 'address' || caller === undefined || caller.kind === 'public') return addressSubject(address);
  if (per === 'user' && caller.userId !== null) return `user:${caller.userId}`;
  if (per === 'user' && caller.kind === 'jwt') return `jwt:${caller.id}`;
  return caller.organizationId === null
    ? `${caller.kind}:${caller.id}`
    : `organization:${caller.organizationId}`;
}

export const canaryPolicy = defineGatewayPolicy({
  name: 'canary',
  schema: canaryParams,
  unconditional: true,
  backends: (params) => named(params).map(([name]) => name),
  check(params, place) {
    const faults = named(params).flatMap(([name, path]) => backendFault(name, path, place) ?? []);
    const step = (text: string) => faults.push({ path: [], text });
    if (place.service === null) step('chooses between backends, but its pipeline has no proxy');
    if (!place.before.includes('rate-limit'))
      step('stands before "rate-limit", which may still refuse the request');
    if (place.before.includes('canary'))
      step('is the second one of its pipeline, which would overrule the first');
    return faults;
  },
  explain({ weights, per, rules }) {
    const fixed = rules.map((rule) => `${meant(rule)} to ${rule.to}`);
    const shares = Object.entries(weights).map(([name, weight]) => `${weight} % to ${name}, by ${per}`);
    return `sends ${[...fixed, ...shares].join('; ')}; others to the backend of proxy`;
  },
  create({ weights, per, rules }) {
    const compiled = rules.map((rule) => ({ to: rule.to, fits: fitsOf(rule) }));
    const backendOf = createBackendOf(weights);
    const hasShares = Object.values(weights).some((weight) => weight > 0);
    return function canary(req, _res, next) {
      const { context } = req;
      const rule = compiled.find(({ fits }) => fits(req));
      if (rule !== undefined) context.backend = rule.to;
      else if (hasShares) context.backend = backendOf(callerOf(context, per));
      next();
    };
  },
});
