/** A plugin of a third party whose policy forbids further parameters, and so the one that express-gateway adds. */
export const version = '1.2.0';
export const schema = { $id: 'https://example.com/plugins/closed.json', type: 'object' };

interface PluginContext {
  registerPolicy(policy: object): void;
}

export function init(context: PluginContext): void {
  context.registerPolicy({
    name: 'closed',
    schema: {
      $id: 'https://example.com/policies/closed.json',
      type: 'object',
      properties: { allowed: { type: 'string' } },
      additionalProperties: false,
    },
    policy: () => (_req: unknown, _res: unknown, next: () => void) => next(),
  });
}
