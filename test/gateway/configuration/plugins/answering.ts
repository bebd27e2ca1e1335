/** A plugin of a third party whose policy answers by itself and tells which headers and parameters it saw. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export const version = '1.2.0';
export const schema = { $id: 'https://example.com/plugins/answering.json', type: 'object' };

interface PluginContext {
  registerPolicy(policy: object): void;
}

export function init(context: PluginContext): void {
  context.registerPolicy({
    name: 'answering',
    schema: { $id: 'https://example.com/policies/answering.json', type: 'object', properties: {} },
    policy: () => (req: IncomingMessage & { query?: object }, res: ServerResponse) => {
      res.statusCode = 418;
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ headers: req.headers, rawHeaders: req.rawHeaders, query: req.query }));
    },
  });
}
