/** A plugin of express-gateway whose policies change headers in the usual ways, and show which credentials they found. */
interface Request {
  headers: Record<string, string | undefined>;
  readonly rawHeaders: readonly string[];
}
interface PluginContext {
  registerPolicy(policy: object): void;
}

export const version = '1.2.0';
export const policies = ['touch', 'prove'];

export function init(context: PluginContext): void {
  context.registerPolicy({
    name: 'touch',
    policy: () => (req: Request, _res: object, next: () => void) => {
      const { headers } = req;
      const { authorization, cookie } = headers;
      const raw = req.rawHeaders.filter((text) => /^(authorization|cookie|x-api-key)$/i.test(text));
      headers['x-found'] = JSON.stringify({ authorization, cookie, key: headers['x-api-key'], raw });
      if (cookie !== undefined) headers.cookie = cookie.replace(/; track=\d+/, '');
      if (authorization !== undefined) headers.authorization = `${authorization} again`;
      if (headers['x-lang'] !== undefined) headers['x-lang'] = headers['x-lang'].toLowerCase();
      if (headers['x-shop'] !== undefined) headers['x-shop'] = 'touched';
      delete headers['x-fixed'];
      next();
    },
  });
  context.registerPolicy({
    name: 'prove',
    policy: () => (req: Request, _res: object, next: () => void) => {
      req.headers.authorization = 'Basic b3du';
      req.headers.cookie = 'own=1';
      next();
    },
  });
}
