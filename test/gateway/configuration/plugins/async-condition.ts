/** A plugin of express-gateway whose condition is a promise. */
export const version = '1.2.0';

export function init(context: Record<string, (what: unknown) => void>): void {
  context.registerCondition?.({ name: 'slow', handler: async (_req: unknown, _config: unknown) => false });
}
