/** Changes the path that the backend gets, because its paths are seldom those that clients see. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { compilePathExpression, pathExpressionFault } from '../kit/path-expression.ts';
import { compileTemplate, isSound, LONGEST_TARGET, templateFault } from '../kit/path-template.ts';

/** Segments of plain characters, without a slash at the end. */
const FOLDER = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/;

const folder = z
  .string()
  .max(500)
  .refine(
    (text) => FOLDER.test(text) && isSound(text),
    'must be a path without a slash at its end, such as /shop',
  );

const rewriteParams = z
  .strictObject({
    strip: folder
      .optional()
      .describe('The beginning of the path that the backend does not get, whole segments. Absent: none.'),
    match: z
      .string()
      .superRefine((text, context) => {
        const fault = pathExpressionFault(text);
        if (fault !== null) context.addIssue(fault);
      })
      .optional()
      .describe('A regular expression that the path must match as a whole, behind `strip`. Needs `to`.'),
    to: z.string().optional().describe('The path in its place, with $1 to $9 for the groups of `match`.'),
    prefix: folder.optional().describe('What the path begins with at the backend. Absent: nothing.'),
    otherwise: z
      .enum(['not-found', 'pass'])
      .default('not-found')
      .describe(
        'What happens to a path that does not match: 404, or it passes without `to`. Default not-found.',
      ),
  })
  .superRefine(({ strip, match, to, prefix }, context) => {
    if (strip === undefined && match === undefined && prefix === undefined)
      context.addIssue('needs strip, match or prefix');
    if ((match === undefined) !== (to === undefined))
      context.addIssue('needs match and to together, or neither');
    if (match === undefined || to === undefined || pathExpressionFault(match) !== null) return;
    const isDoubled = (to.split('?', 1)[0] ?? '').slice(1).includes('//');
    const message = isDoubled
      ? 'has a doubled slash, which no backend gets'
      : templateFault(to, compilePathExpression(match).groups);
    if (message !== null) context.addIssue({ code: 'custom', path: ['to'], message });
  });

type RewriteParams = z.infer<typeof rewriteParams>;

/** The target that the backend gets; null: this path has no place there. */
type Rewrite = (target: string) => string | null;

function compile({ strip = '', match, to, prefix = '', otherwise }: RewriteParams): Rewrite {
  const expression = match === undefined ? null : compilePathExpression(match);
  const template = to === undefined ? null : compileTemplate(to);
  return (target) => {
    const mark = target.indexOf('?');
    let path = mark === -1 ? target : target.slice(0, mark);
    let query = mark === -1 ? '' : target.slice(mark);
    if (strip !== '') {
      if (path !== strip && !path.startsWith(`${strip}/`)) return null;
      path = path.slice(strip.length) || '/';
    }
    if (expression !== null && template !== null) {
      const groups = expression.match(path);
      if (groups === null && otherwise === 'not-found') return null;
      if (groups !== null) {
        path = template.path(groups);
        query = template.query(groups, query);
      }
    }
    if (prefix !== '') path = path === '/' ? prefix : `${prefix}${path}`;
    const isChanged = path.length + query.length !== target.length || !target.startsWith(path);
    // Backends that join doubled slashes would read another path than the endpoint and the expression did.
    if (!isSound(path) || (isChanged && path.includes('//'))) return null;
    return `${path}${query}`;
  };
}

/** Whether `strip` begins every path of the pattern. */
function isBelow(path: string, strip: string): boolean {
  return path === strip || path.startsWith(`${strip}/`);
}

export const rewritePolicy = defineGatewayPolicy({
  name: 'rewrite',
  schema: rewriteParams,
  unconditional: true,
  check({ strip }, { service, services, endpoints }) {
    if (service === null) return [{ path: [], text: 'has no effect: no proxy answers in this pipeline' }];
    if ((services.get(service)?.audience ?? null) !== null) {
      const text = `has no place before "${service}", a service of Tidegate's own: who may ask is decided by the path that came`;
      return [{ path: [], text }];
    }
    if (strip === undefined) return [];
    const strangers = endpoints.filter(({ paths }) => paths.some((path) => !isBelow(path, strip)));
    return strangers.map(({ name, paths }) => ({
      path: ['strip'],
      text: `"${strip}" does not begin ${paths.find((path) => !isBelow(path, strip))} of the endpoint "${name}"`,
    }));
  },
  rewrites: (params, path) => compile(params)(path),
  explain(params, path) {
    const target = compile(params)(path);
    return target === null ? 'the backend has no such path: 404' : `the backend gets ${target}`;
  },
  create(params) {
    const rewrite = compile(params);
    return function rewritePath(req, _res, next) {
      const { context } = req;
      const target = rewrite(context.target ?? req.url);
      if (target === null) next(new ApiError('NOT_FOUND'));
      else if (target.length > LONGEST_TARGET) next(new ApiError('URI_TOO_LONG'));
      else {
        context.target = target;
        next();
      }
    };
  },
});
