/** A plugin of express-gateway that uses every hook that works: policies of two kinds, conditions of two kinds, a list of names. */
interface Request {
  url: string;
  headers: Record<string, string | undefined>;
  readonly egContext: Record<string, unknown>;
}
interface Response {
  redirect(status: number, to: string): void;
}
interface PluginContext {
  readonly settings: { readonly prefix?: string };
  registerPolicy(policy: object): void;
  registerCondition(condition: object): void;
}

export const version = '1.2.0';
export const policies = ['mark', 'move'];

export function init(this: unknown, context: PluginContext): void {
  const { prefix = 'none' } = context.settings;
  // It has no schema, and takes whatever stands there.
  context.registerPolicy({
    name: 'mark',
    policy:
      ({ header }: { header: string }) =>
      (req: Request, _res: Response, next: () => void) => {
        const { apiEndpoint } = req.egContext as { apiEndpoint: { apiEndpointName: string } };
        req.headers[header] = `${prefix} ${apiEndpoint.apiEndpointName} ${req.egContext.seen}`;
        req.headers['x-user-id'] = 'set by a policy';
        req.headers['x-gateway-identity'] = 'forged';
        req.headers['content-length'] = '999';
        req.headers.host = 'elsewhere.test';
        delete req.headers['x-drop'];
        req.url = `/moved${req.url}`;
        next();
      },
  });
  context.registerPolicy({
    name: 'move',
    schema: {
      $id: 'https://example.com/policies/move.json',
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
    },
    policy:
      ({ to }: { to: string }) =>
      (_req: Request, res: Response) =>
        res.redirect(307, to),
  });
  context.registerCondition({
    name: 'has-header',
    schema: {
      $id: 'https://example.com/conditions/has-header.json',
      type: 'object',
      properties: { header: { type: 'string' } },
      required: ['header'],
    },
    handler: (req: Request, { header }: { header: string }) => {
      req.egContext.seen = req.headers[header];
      return req.headers[header] !== undefined;
    },
  });
  context.registerCondition({
    name: 'made',
    handler:
      ({ word }: { word: string }) =>
      (req: Request) =>
        req.url.includes(word),
  });
}
