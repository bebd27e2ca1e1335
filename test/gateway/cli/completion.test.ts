/** Completion of the command line, in bash as it runs; of zsh and fish what stands in their scripts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createProgram, runProgram } from '../../../gateway/cli/create-program.ts';
import { commandsOf } from '../../../gateway/cli/examples.ts';

async function scriptFor(shell: string): Promise<string> {
  let script = '';
  const code = await runProgram(['completion', shell], {
    out: (text) => (script += text),
    error: () => undefined,
  });
  expect(code).to.equal(0);
  return script;
}

/** What bash offers for the last of the words. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = ['tidegate', ...words].map((word) => `'${word}'`).join(' ');
  const run = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _tidegate; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const script = `${await scriptFor('bash')}\n${run}`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-uc', script]);
  return stdout.split('\n').filter((line) => line !== '');
}

const PROGRAM = await createProgram({ out: () => undefined, error: () => undefined });

describe('completion', () => {
  const names = commandsOf(PROGRAM)
    .slice(1)
    .map(([name]) => name);

  it('offers every command of the program at its place in bash', async () => {
    const first = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
    expect(await offered('')).to.include.members([...first, '--help', '--version']);
    const ofKeys = names.flatMap((name) => (name.startsWith('keys ') ? [name.slice('keys '.length)] : []));
    expect(await offered('keys', '')).to.have.members([...ofKeys, '--help']);
  });

  it('completes what is begun: a command, an option, a value', async () => {
    expect(await offered('org')).to.deep.equal(['organizations']);
    expect(await offered('keys', 'ro')).to.deep.equal(['rotate']);
    expect(await offered('keys', 'create', '--name', 'Reports', '--sc')).to.deep.equal(['--scopes']);
    expect(await offered('completion', 'z')).to.deep.equal(['zsh']);
    expect(await offered('start', 'ga')).to.deep.equal(['gateway']);
  });

  it('goes by the command, whatever values stand behind it', async () => {
    expect(await offered('organizations', 'create', '--name', 'keys', '--pl')).to.deep.equal(['--plan']);
    expect(await offered('organizations', 'create', '--name', '*', '--pl')).to.deep.equal(['--plan']);
    expect(await offered('import', '/no/such')).to.deep.equal([]);
  });

  for (const shell of ['zsh', 'fish']) {
    it(`knows every command in ${shell}`, async () => {
      const script = await scriptFor(shell);
      for (const name of names) expect(script).to.include(`'${name}'`);
    });
  }

  it('refuses a shell that it does not know, and names those that it does', async () => {
    let fault = '';
    const streams = { out: () => undefined, error: (text: string) => (fault += text) };
    expect(await runProgram(['completion', 'tcsh'], streams)).to.equal(2);
    expect(fault).to.include('bash, zsh, fish');
  });
});
