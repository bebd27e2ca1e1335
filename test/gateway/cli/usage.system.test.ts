/** Holds the command line to its exit codes and to telling what is allowed when it is used wrongly. */
import { expect } from 'chai';
import { runProgram } from '../../../gateway/cli/create-program.ts';
import { type CliOutcome, runCli } from '../../support/run-cli.ts';

const CREATE = ['keys', 'create', '--organization', 'org_one', '--name', 'Server', '--scopes', 'read:data'];

/** Runs the program in this process: what these commands do ends before any setting is read. */
async function run(...args: string[]): Promise<CliOutcome> {
  let [out, error] = ['', ''];
  const code = await runProgram(args, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { code, out, error };
}

describe('usage of tidegate', () => {
  for (const command of ['rotate', 'revoke']) {
    it(`refuses the text of a key where "keys ${command}" wants its identifier, and does not repeat it`, async () => {
      const key = `tg_${'Ab1'.repeat(14)}c_00000x`;
      const { code, out, error } = await run('keys', command, key);
      expect([code, out]).to.deep.equal([2, '']);
      expect(error).to.include('this is the text of a key').and.not.include('Ab1');
    });
  }

  const cases: readonly [string, string[], string][] = [
    ['no command', [], 'Usage: tidegate [options] [command]'],
    ['no subcommand', ['keys'], 'Usage: tidegate keys [options] [command]'],
    ['an unknown command', ['kyes'], "error: unknown command 'kyes'\n(Did you mean keys?)"],
    ['an unknown option', ['keys', 'list', '--orgnization', 'x'], '(Did you mean --organization?)'],
    [
      'a missing option',
      ['keys', 'create', '--name', 'x'],
      "required option '--organization <id>' not specified",
    ],
    [
      'what is no scope',
      [...CREATE, '--scopes', 'track:events,readdata', '--access', 'global'],
      '"readdata" is no scope. Allowed: two words and a colon, such as read:data.',
    ],
    ['an unknown access level', [...CREATE, '--access', 'globl'], 'Allowed choices are global, website.'],
    [
      'website access without websites',
      [...CREATE, '--access', 'website'],
      'error: --access website needs --website <id...>',
    ],
    [
      'websites with global access',
      [...CREATE, '--access', 'global', '--website', 'web_shop'],
      'error: --website needs --access website',
    ],
    [
      'a count out of range',
      ['keys', 'generate', '--count', '1001'],
      'Allowed: a whole number from 1 to 1000.',
    ],
    [
      'an impossible prefix',
      ['keys', 'generate', '--prefix', 'Acme'],
      'Allowed: a lower-case letter, then up to 15 lower-case letters or digits.',
    ],
  ];
  for (const [name, args, expected] of cases) {
    it(`is exit code 2 for ${name}, told on standard error`, async () => {
      const { code, out, error } = await run(...args);
      expect([code, out]).to.deep.equal([2, '']);
      expect(error).to.include(expected);
    });
  }

  it('is exit code 2 for a wrong setting, and the process ends with it', async () => {
    const { code, error } = await runCli(['keys', 'generate'], { KEY_PREFIX: 'No' });
    expect(code).to.equal(2);
    expect(error).to.include('KEY_PREFIX');
  });

  it('explains itself on standard output with exit code 0', async () => {
    const { code, out, error } = await run('keys', 'create', '--help');
    expect([code, error]).to.deep.equal([0, '']);
    expect(out).to.include('--organization <id>').and.include('--expires <instant>').and.include('Examples:');
    expect(out.match(/Examples?:/g)).to.have.length(1);
    expect((await run('--version')).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
