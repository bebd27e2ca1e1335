/** `--help` of every command: it says what the command does and shows examples, which the command's own parser takes. */
import { expect } from 'chai';
import type { Command } from 'commander';
import { createProgram, runProgram } from '../../../gateway/cli/create-program.ts';
import { commandsOf, EXAMPLES, examplesOf } from '../../../gateway/cli/examples.ts';

const silent = { out: () => undefined, error: () => undefined };
const newProgram = (): Promise<Command> => createProgram(silent);
const PROGRAM = await newProgram();

/** The words of a line as the program gets them: without settings before it and redirections behind, quotes aside. */
function wordsOf(line: string): string[] {
  const [, typed = ''] = /(?:^|[\s(])tidegate ([^>")]*)/.exec(line) ?? [];
  return typed.trim().split(/\s+/);
}

describe('the help of the command line', () => {
  it('has examples of every command, and of none that is gone', () => {
    const names = commandsOf(PROGRAM).map(([name]) => name);
    expect(Object.keys(EXAMPLES)).to.have.members(names);
  });

  for (const [name, command] of commandsOf(PROGRAM)) {
    it(`${name}: has a description, and a text for every option and argument`, () => {
      expect(command.description()).to.match(/^\w.{10,}/);
      for (const { flags, description } of command.options) expect(description, flags).to.not.equal('');
      for (const argument of command.registeredArguments)
        expect(argument.description, argument.name()).to.not.equal('');
    });

    it(`${name} --help exits with 0 and shows its examples`, async () => {
      let printed = '';
      const args = command.name() === 'tidegate' ? ['--help'] : [...name.split(' '), '--help'];
      const code = await runProgram(args, { ...silent, out: (text) => (printed += text) });
      expect(code).to.equal(0);
      expect(examplesOf(name), 'no example in gateway/cli/examples.ts').to.not.be.empty;
      for (const line of examplesOf(name)) expect(printed).to.include(`\n  ${line}\n`);
    });

    for (const line of examplesOf(name)) {
      it(`takes the example: ${line}`, async () => {
        const program = await newProgram();
        const ran: string[] = [];
        for (const [path, each] of commandsOf(program)) {
          if (each.commands.length === 0) each.action(() => void ran.push(path));
        }
        const words = wordsOf(line);
        if (words.at(-1) === '--help') {
          expect(commandsOf(program).map(([path]) => path)).to.include(words.slice(0, -1).join(' '));
          return;
        }
        await program.parseAsync(words, { from: 'user' });
        expect(ran).to.have.length(1);
        expect(ran[0]?.split(' ')).to.deep.equal(words.slice(0, ran[0]?.split(' ').length));
      });
    }
  }
});
