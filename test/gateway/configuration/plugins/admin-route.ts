/** A plugin of express-gateway that adds a route to its administration API. */
export const version = '1.2.0';

export function init(context: Record<string, (what: unknown) => void>): void {
  context.registerAdminRoute?.(() => undefined);
}
