/** Answers with built pages: the document wherever somebody enters, and the files that it names. */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { pathOf } from '../../services/shared/http/query-string.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { pushCommonHeaders } from '../kit/reply.ts';
import type { GatewayRequest, GatewayResponse } from '../kit/request-context.ts';
import { sendStatic } from '../kit/static-answer.ts';
import { EXPECTED, faultsOfFolder, readBuiltFolder } from './built-folder.ts';
import { isFileName, isHashed, mediaTypeOf } from './file-names.ts';
import { NOSNIFF } from './page-headers.ts';
import { RELOAD_SCRIPT } from './reload-script.ts';

const pagesParams = z.strictObject({
  folder: z
    .string()
    .refine(isAbsolute, 'must be an absolute path, such as /srv/console')
    .describe(
      'Folder that a build filled: document.html, and its files by the names name.<hash>.ext, each with its .gz and .br. Read at the start and at each reload after it changed.',
    ),
});

const JAVASCRIPT = mediaTypeOf('.js') as string;

export const pagesPolicy = defineGatewayPolicy({
  name: 'pages',
  schema: pagesParams,
  reads({ folder }) {
    return [{ path: ['folder'], location: folder, expected: EXPECTED, judge: () => faultsOfFolder(folder) }];
  },
  create({ folder }) {
    const { document, files } = readBuiltFolder(folder);
    return function pages(req, res) {
      const path = pathOf(req.url);
      const name = path.slice(path.lastIndexOf('/') + 1);
      const file = files.get(name);
      if (file !== undefined) return sendStatic(req, res, file);
      if (!isFileName(name)) return sendStatic(req, res, document);
      // A document of another version names it: that of this process is asked for.
      if (isHashed(name) && mediaTypeOf(name) === JAVASCRIPT) return sendReload(req, res);
      // Another gateway may have it in a moment: nobody between here and the browser keeps that it is missing.
      throw new ApiError('NOT_FOUND', { headers: { 'Cache-Control': 'no-store' } });
    };
  },
});

function sendReload(req: GatewayRequest, res: GatewayResponse): void {
  const headers = [
    ...['Content-Type', JAVASCRIPT, 'Content-Length', `${Buffer.byteLength(RELOAD_SCRIPT)}`],
    ...['Cache-Control', 'no-store', ...NOSNIFF],
  ];
  pushCommonHeaders(headers, req.context);
  res.writeHead(200, headers);
  res.end(RELOAD_SCRIPT);
}
