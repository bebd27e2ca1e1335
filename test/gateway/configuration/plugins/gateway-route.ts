/** A plugin of express-gateway that adds a route of its own. */
export const version = '1.2.0';

export function init(context: Record<string, (what: unknown) => void>): void {
  context.registerGatewayRoute?.(() => undefined);
}
