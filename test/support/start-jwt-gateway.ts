/** A gateway before the shop, where tokens of an identity provider say who calls. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  AUDIENCE,
  IdentityProvider,
  ISSUER,
  newProviderKey,
  type ProviderKey,
  signToken,
} from './identity-provider.ts';
import { type Seen, type ShopGateway, type ShopOptions, startShopGateway } from './start-shop-gateway.ts';
import type { Answer, CallOptions } from './start-tidegate.ts';

const ENDPOINT = ['paths: "/shop/*"', 'methods: [GET, POST]', 'scopes: [read:data]'];
const ORGANIZATION = '{ claim: org, oneOf: [org_a, org_b, org_gone] }';
const SCOPES = '{ claim: scope, oneOf: [read:data, read:links] }';

/** The step as YAML, with further parameters as they stand in it. */
export function jwtStep(jwksUrl: string, own: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries({
    ...{ issuer: `"${ISSUER}"`, jwksUrl: `"${jwksUrl}"`, audience: `"${AUDIENCE}"` },
    ...{ organization: ORGANIZATION, scopes: SCOPES, ...own },
  }).map(([name, value]) => `${name}: ${value}`);
  return `- jwt: [{ action: { ${parameters.join(', ')} } }]`;
}

/** A shop whose callers have tokens. */
export function jwtShop(step: string, own: Partial<ShopOptions> = {}): ShopOptions {
  return { caller: step, steps: [], endpoint: ENDPOINT, ...own, plugins: ['jwt', ...(own.plugins ?? [])] };
}

export interface JwtGateway extends ShopGateway {
  readonly provider: IdentityProvider;
  /** The key that the provider publishes at first. */
  readonly key: ProviderKey;
  /** A good token, of which some claims are otherwise. */
  token(own?: Readonly<Record<string, unknown>>): string;
  /** GET /shop/items with this token. */
  ask(token: string, options?: CallOptions): Promise<Answer>;
}

export interface JwtGatewayOptions extends Partial<ShopOptions> {
  /** Further parameters of the step. */
  readonly jwt?: Readonly<Record<string, string>>;
  /** What the shop answers. */
  readonly answer200?: (req: IncomingMessage, res: ServerResponse, seen: Seen) => void;
}

/** Starts it with the organizations org_a (free) and org_b (pro); org_gone does not exist. */
export async function startJwtGateway({
  jwt,
  answer200,
  ...shop
}: JwtGatewayOptions = {}): Promise<JwtGateway> {
  const provider = new IdentityProvider();
  await provider.start();
  const key = newProviderKey('first');
  provider.publish(key);
  const started = await startShopGateway(jwtShop(jwtStep(provider.jwksUrl, jwt), shop), answer200).catch(
    async (fault: unknown) => {
      await provider.close();
      throw fault;
    },
  );
  provider.clock = started.clock;
  await started.organization('org_a', 'free');
  await started.organization('org_b', 'pro');
  return {
    ...started,
    ...{ provider, key },
    token: (own = {}) => signToken(key, provider.claims(own)),
    ask: (token, { headers, ...options } = {}) =>
      started.call('GET', '/shop/items', {
        ...options,
        headers: { authorization: `Bearer ${token}`, ...headers },
      }),
    async close() {
      await started.close();
      await provider.close();
    },
  };
}
