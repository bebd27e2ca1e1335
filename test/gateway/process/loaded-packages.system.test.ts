/** What a started server keeps in memory: no package that only other settings need, or that nothing of it asks for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startProcess } from '../../support/gateway-process.ts';

/** Prints what is loaded, of CommonJS, when the process ends. */
const AT_EXIT = `
  import { createRequire } from 'node:module';
  const { cache } = createRequire(process.cwd() + '/');
  process.on('exit', () => console.log('loaded ' + Object.keys(cache).join(' ')));
`;

/** By a part of their paths: undici's faults are used, its client is not. */
const UNUSED = ['mongoose', 'ioredis', 'superagent', 'winston', 'undici/index.js'];

describe('a started server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-loaded-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('has loaded nothing that it does not need', async function () {
    this.timeout(60_000);
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(AT_EXIT)}`;
    const server = await startProcess('main', { DATA_DIR: directory, NODE_OPTIONS });
    expect((await fetch(`${server.origin}/v1/websites`)).status).to.equal(401);
    expect(await server.end('SIGTERM')).to.equal(0);
    const loaded = /^loaded (.+)$/m.exec(server.output())?.[1]?.split(' ') ?? [];
    const of = (part: string) => loaded.filter((path) => path.includes(`/node_modules/${part}`));
    expect(of('express-gateway/')).to.not.be.empty;
    for (const part of UNUSED) expect(of(part), part).to.be.empty;
  });
});
