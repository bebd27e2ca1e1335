/** The program loads a command only where it runs, so that none waits for the drivers of stores that it does not open. */
import { basename } from 'node:path';
import { expect } from 'chai';
import { createProgram, runProgram } from '../../../gateway/cli/create-program.ts';
import { readSources } from '../../support/source-files.ts';

/** An import of more than types. */
const LOADS_DRIVER = /^import (?!type )[^;]*from '(?:mongoose|libsql|@duckdb\/node-api|ioredis)'/m;
/** Whether a text imports more than types of that file, and not only when it comes to it. */
const isLoadedAtOnce = (text: string, path: string): boolean =>
  new RegExp(`^(?:import|export) (?!type )[^;]*from '[^']*/${basename(path)}'`, 'm').test(text);
const silent = { out: () => undefined, error: () => undefined };

describe('the program', () => {
  it('has every command, or the one that is named', async () => {
    const names = async (only: string | null) =>
      (await createProgram(silent, () => undefined, only)).commands.map((command) => command.name());
    const all = await names(null);
    expect(all).to.include.members(['start', 'check', 'keys', 'completion']);
    for (const name of all) expect(await names(name)).to.deep.equal([name]);
  });

  it('refuses what is no command with 2, and knows all commands then', async () => {
    let said = '';
    const error = (text: string) => (said += text);
    expect(await runProgram(['chekc'], { ...silent, error })).to.equal(2);
    expect(said).to.include('Did you mean check?');
    expect(await runProgram(['toString'], silent)).to.equal(2);
  });

  for (const command of ['check', 'explain', 'routes', 'init', 'schema']) {
    it(`loads no driver of a store for ${command}`, () => {
      const files = new Map(
        ['config', 'gateway', 'plugins', 'services'].flatMap(readSources).map((file) => [file.path, file]),
      );
      const reached = new Set([`gateway/cli/${command}.ts`]);
      for (const path of reached) {
        const { text = '', imports = [] } = files.get(path) ?? {};
        for (const each of imports) if (isLoadedAtOnce(text, each)) reached.add(each);
      }
      expect(reached).to.have.property('size').above(20);
      const loading = [...reached].filter((path) => LOADS_DRIVER.test(files.get(path)?.text ?? ''));
      expect(loading).to.deep.equal([]);
    });
  }
});
