/** The guide to queries: every command of it runs as it stands, prints what it promises, and no field of a request is left out. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { requestSchema } from '../services/query/stages/request-schema.ts';
import { GRANULARITIES } from '../services/query/time/buckets.ts';
import { PRESETS } from '../services/query/time/presets.ts';
import { startProcess } from './support/gateway-process.ts';
import { createTempDirectory } from './support/temp-directory.ts';

const GUIDE = readFileSync(join(PACKAGE_ROOT, 'docs/query.md'), 'utf8');
const BLOCKS = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
const OPERATORS = ['eq', 'ne', 'contains', 'like', 'not_contains', 'starts_with', 'in', 'not_in', 'notIn'];
/** Stands between what two blocks print. */
const RULE = '===== next block =====';

describe('docs/query.md', () => {
  it('names every field, preset, granularity and operator of a request', () => {
    const names = [...Object.keys(requestSchema.shape), ...PRESETS, ...GRANULARITIES, ...OPERATORS];
    // `timeZone` is the second spelling of `timezone`, which the reference lists.
    const unnamed = names.filter((name) => name !== 'timeZone' && !GUIDE.includes(`\`${name}\``));
    expect(unnamed).to.deep.equal([]);
  });

  it('prints what it promises, block by block', async () => {
    const folder = createTempDirectory();
    const server = await startProcess('main', { DATA_DIR: folder.path });
    try {
      const [, API_KEY = ''] = /-H 'x-api-key: (\S+)'/.exec(server.output()) ?? [];
      const [, WEBSITE = ''] = /Website +(\S+)/.exec(server.output()) ?? [];
      const { stdout } = await promisify(execFile)('sh', ['-euc', BLOCKS.join(`\necho '\n${RULE}'\n`)], {
        env: { PATH: process.env.PATH, BASE: server.origin, API_KEY, WEBSITE },
      });
      const printed = stdout.split(`\n${RULE}\n`);
      expect(printed).to.have.length(BLOCKS.length);
      let promises = 0;
      for (const [index, block] of BLOCKS.entries()) {
        for (const [, promise = ''] of block.matchAll(/^# prints (.+)$/gm)) {
          expect(printed[index], block).to.include(promise);
          promises++;
        }
      }
      expect(promises).to.be.at.least(BLOCKS.length - 1);
    } finally {
      await server.end('SIGTERM');
      folder.remove();
    }
  });
});
