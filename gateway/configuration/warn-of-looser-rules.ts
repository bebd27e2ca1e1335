/** Warns of routes that a configuration opens to callers whom the shipped configuration refuses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { ROLE_SCOPES } from '../../services/shared/access/role-scopes.ts';
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import { missingUnderAll, type ScopesUnder } from '../../services/shared/access/scope-rule.ts';
import type { Scope } from '../../services/shared/access/scopes.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import type { ApiEndpoint } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { OWN_ROUTES, openedRoutes } from './own-routes.ts';

/** Who may ask. */
export type Rule = Pick<ApiEndpoint, 'access' | 'scopes' | 'scopesUnder' | 'roles' | 'operators'>;

/** What the shipped file says of an endpoint; it is checked like any other before it is released. */
interface WrittenEndpoint extends Partial<Rule> {
  readonly paths: string | readonly string[];
  readonly methods?: ApiEndpoint['methods'] | NonNullable<ApiEndpoint['methods']>[number];
}

let shipped: ReadonlyMap<string, Rule> | undefined;

/** The rule of each route of our own in the shipped configuration, by the name of the route. */
function shippedRules(): ReadonlyMap<string, Rule> {
  shipped ??= readShippedRules();
  return shipped;
}

function readShippedRules(): ReadonlyMap<string, Rule> {
  const text = readFileSync(join(PACKAGE_ROOT, 'config/gateway.config.yml'), 'utf8');
  const { apiEndpoints } = parse(text) as { apiEndpoints: Readonly<Record<string, WrittenEndpoint>> };
  const rules = new Map<string, Rule>();
  for (const { paths, methods = null, access, scopes = [], roles = [], scopesUnder } of Object.values(
    apiEndpoints,
  )) {
    const place = { paths: [paths].flat(), methods: methods === null ? null : [methods].flat() };
    const rule = { access: access ?? 'scoped', scopes, roles, ...(scopesUnder && { scopesUnder }) };
    for (const answerer of Object.keys(OWN_ROUTES) as (keyof typeof OWN_ROUTES)[])
      for (const route of openedRoutes(place, answerer).routes) if (!rules.has(route)) rules.set(route, rule);
  }
  return rules;
}

/** What the roles hold. */
type RoleScopes = ScopeCatalogue['ofRole'];

/**
 * Reports, at the endpoints below `place`, each route whose rule admits somebody whom the shipped one refuses; `ofRole` is what
 * the roles hold here.
 */
export function warnOfLooserRules(
  place: Cursor,
  endpoints: readonly (Rule & Pick<ApiEndpoint, 'name' | 'routes'>)[],
  ofRole: RoleScopes,
): void {
  for (const endpoint of endpoints) {
    const looser = new Map<string, string[]>();
    for (const route of endpoint.routes) {
      const rule = shippedRules().get(route);
      const admitted = rule === undefined ? [] : admittedBeyond(endpoint, rule, ofRole);
      if (admitted.length > 0)
        looser.set(admitted.join(', '), [...(looser.get(admitted.join(', ')) ?? []), route]);
    }
    for (const [admitted, routes] of looser)
      place
        .at(endpoint.name)
        .report(`opens ${routes.join(', ')} to ${admitted}, whom the shipped configuration refuses`, {
          came: endpoint.name,
          candidates: [],
        });
  }
}

/** Whom a rule admits, where roles hold `ofRole`, and a shipped one does not, in words; empty when it is as tight or tighter. */
export function admittedBeyond(rule: Rule, other: Rule, ofRole: RoleScopes = ROLE_SCOPES): string[] {
  const found: string[] = [];
  if (admitsAnybody(rule) && !admitsAnybody(other)) found.push('anybody');
  const keys = leastScopes(rule).filter((scopes) => !admitsKey(other, scopes));
  if (keys.length > 0)
    found.push(
      ...keys.map((scopes) => (scopes.length === 0 ? 'every key' : `keys with ${scopes.join(' + ')}`)),
    );
  // Of every role there are people who run nothing.
  if (other.operators === true && rule.access === 'session' && rule.operators !== true)
    found.push('sessions of people who are no operators');
  const roles = ROLES.filter(
    (role) => admitsSession(rule, role, ofRole) && !admitsSession(other, role, ROLE_SCOPES),
  );
  if (roles.length > 0) found.push(`sessions of ${roles.join(', ')}`);
  return found;
}

const admitsAnybody = ({ access }: Rule): boolean => access !== 'scoped' && access !== 'session';
/** Neither key nor cookie counts, so neither is asked for anything. */
const asksNothing = ({ access }: Rule): boolean => access === 'public' || access === 'optional';

/** The least that keys must hold, one list for each way in; empty when no key is admitted. */
function leastScopes(rule: Rule): readonly (readonly Scope[])[] {
  if (rule.access === 'session') return [];
  if (asksNothing(rule)) return [[]];
  return [rule.scopes, ...Object.values((rule.scopesUnder ?? {}) as ScopesUnder)];
}

function admitsKey(rule: Rule, scopes: readonly Scope[]): boolean {
  if (rule.access === 'session') return false;
  return asksNothing(rule) || missingUnderAll(rule, scopes) === null;
}

function admitsSession(rule: Rule, role: Role, ofRole: RoleScopes): boolean {
  if (rule.access === 'session') return rule.roles.includes(role);
  return admitsKey(rule, ofRole[role]);
}
