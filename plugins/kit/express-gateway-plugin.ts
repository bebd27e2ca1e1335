/** What express-gateway passes to a plugin and expects from it. */
import type { GatewayRequest, GatewayResponse, Next, PolicyHandler } from './request-context.ts';
import type { ExpressApp } from './runtime.ts';

/** What it passes to `init`. */
export interface EgPluginContext {
  readonly config: object;
  registerPolicy(policy: {
    name: string;
    schema: Record<string, unknown>;
    policy: (params: Record<string, unknown>) => EgPolicyHandler;
  }): void;
  registerGatewayRoute(register: (app: ExpressApp) => void): void;
}

/** What it mounts; `direct` is the policy itself, which the dispatch table calls directly. */
export interface EgPolicyHandler {
  (req: EgRequest, res: GatewayResponse, next: Next): void;
  readonly direct: PolicyHandler;
}

export interface EgRequest extends GatewayRequest {
  readonly egContext: { readonly apiEndpoint: { readonly apiEndpointName: string } };
}
