/** A plugin as express-gateway's documentation has it: no `policies` export, a JSON schema, registered in `init`. */
export const version = '1.2.0';

export const schema = {
  $id: 'https://tidegate.dev/schemas/test/stamp.json',
  type: 'object',
  properties: { prefix: { type: 'string' } },
};

interface Context {
  registerPolicy(policy: object): void;
}

export function init(context: Context): void {
  context.registerPolicy({
    name: 'stamp',
    schema: {
      $id: 'https://tidegate.dev/schemas/test/stamp-policy.json',
      type: 'object',
      properties: { header: { type: 'string' } },
      required: ['header'],
    },
    policy: () => (_req: unknown, _res: unknown, next: () => void) => next(),
  });
}
