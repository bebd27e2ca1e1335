/** A plugin of a third party whose policy has a format that express-gateway's Ajv does not know. */
export const version = '1.2.0';
export const schema = { $id: 'https://example.com/plugins/foreign-format.json', type: 'object' };

interface PluginContext {
  registerPolicy(policy: object): void;
}

export function init(context: PluginContext): void {
  context.registerPolicy({
    name: 'foreign-format',
    schema: {
      $id: 'https://example.com/policies/foreign-format.json',
      type: 'object',
      properties: { allowed: { type: 'string', format: 'cidrv4' } },
    },
    policy: () => (_req: unknown, _res: unknown, next: () => void) => next(),
  });
}
