/** Sends the client to another address: the same one whatever it asked for, or one made of the path that it asked for. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { parseUrl } from '../../services/shared/text/parse-url.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { compilePathExpression, pathExpressionFault } from '../kit/path-expression.ts';
import { compileTemplate, isSound, joinQueries, templateFault } from '../kit/path-template.ts';
import { pushCommonHeaders } from '../kit/reply.ts';

const redirectParams = z
  .strictObject({
    to: z
      .string()
      .refine(isTarget, 'must be a path, such as /dashboard, or an address of https, in ASCII')
      .describe(
        'Where to: a path of this gateway, or an address of https. Beside `match`, $1 to $9 in its path and query string are its groups.',
      ),
    status: z
      .union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)])
      .default(302)
      .describe(
        '301 and 308 are for good, and browsers keep them; with 307 and 308 the method and the body stay. Default 302.',
      ),
    match: z
      .string()
      .superRefine((text, context) => {
        const fault = pathExpressionFault(text);
        if (fault !== null) context.addIssue(fault);
      })
      .optional()
      .describe(
        'A regular expression that the path must match as a whole; any other path is 404. Absent: every path.',
      ),
    query: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe(
        'Whether the query string of the request goes along, but for parameters that `to` names. Default drop.',
      ),
  })
  .superRefine(({ to, match, query }, context) => {
    const fault = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
    if (!isTarget(to) || (match !== undefined && pathExpressionFault(match) !== null)) return;
    if (query === 'keep' && to.includes('#')) fault('has a fragment, behind which no query string can stand');
    if (match === undefined) return;
    const [host, path] = splitHost(to);
    const message = templateFault(path, compilePathExpression(match).groups);
    if (message !== null) fault(message);
    else if (host.includes('$')) fault('has a host that a client would choose');
  });

type RedirectParams = z.infer<typeof redirectParams>;

/** A path begins with one slash: behind two, browsers read a host. */
function isTarget(text: string): boolean {
  if (!/^[!-~]+$/.test(text) || text.includes('\\')) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  const url = parseUrl(text);
  return /^https:\/\//.test(text) && url !== null && url.username + url.password === '';
}

/** Scheme and host, empty for a path of this gateway, and the rest. */
function splitHost(to: string): [host: string, path: string] {
  const [host = ''] = /^https:\/\/[^/?#]+/.exec(to) ?? [];
  return [host, to.slice(host.length) || '/'];
}

/** Where a request is sent; null: nowhere. */
function compile({ to, match, query }: RedirectParams): (target: string) => string | null {
  const sentBy = (target: string) =>
    query === 'keep' && target.includes('?') ? target.slice(target.indexOf('?')) : '';
  if (match === undefined) {
    const mark = to.indexOf('?');
    const [path, own] = mark === -1 ? [to, ''] : [to.slice(0, mark), to.slice(mark)];
    return (target) => `${path}${joinQueries(own, sentBy(target))}`;
  }
  const expression = compilePathExpression(match);
  const [host, path] = splitHost(to);
  const template = compileTemplate(path);
  return (target) => {
    const groups = expression.match(target.split('?', 1)[0] ?? '');
    if (groups === null) return null;
    const made = template.path(groups);
    return isSound(made) ? `${host}${made}${template.query(groups, sentBy(target))}` : null;
  };
}

export const redirectPolicy = defineGatewayPolicy({
  name: 'redirect',
  schema: redirectParams,
  explain(params, path) {
    const location = compile(params)(path);
    return location === null ? 'leads nowhere: 404' : `leads to ${location}`;
  },
  create(params) {
    const locationOf = compile(params);
    return function redirect(req, res, next) {
      const location = locationOf(req.url);
      if (location === null) {
        next(new ApiError('NOT_FOUND'));
        return;
      }
      const headers = ['Location', location, 'Content-Length', '0'];
      pushCommonHeaders(headers, req.context);
      res.writeHead(params.status, headers);
      res.end();
    };
  },
});
