/** A process that is ending ends in order, whatever is thrown meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

/** Runs a server whose `close` is this code until it listens, and ends it. */
async function endOf(close: string): Promise<{ code: number; output: string }> {
  const program = `
    import { runProcess } from ${JSON.stringify(join(PACKAGE_ROOT, 'dist/gateway/process/run-process.js'))};
    const rest = setInterval(() => {}, 1_000);
    await runProcess(async () => ({
      origin: 'http://127.0.0.1:1',
      announcement: null,
      reload: async () => {},
      async close() { ${close} },
    }));
    process.kill(process.pid, 'SIGTERM');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await once(child, 'exit');
  return { code, output: (await output).join('') };
}

describe('a process that ends', () => {
  it('ends with 0', async () => {
    expect(await endOf('console.log("closed");')).to.deep.include({ code: 0 });
  });

  it('closes to the end where something is thrown meanwhile, and tells it by its log and its code', async () => {
    const { code, output } = await endOf(`
      setTimeout(() => { throw new Error('meanwhile'); }, 10);
      await new Promise((resolve) => setTimeout(resolve, 200));
      console.log('closed');`);
    expect(output)
      .to.match(/\nclosed\n/)
      .and.to.contain('meanwhile');
    expect(code).to.equal(1);
  });
});
