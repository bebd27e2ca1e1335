/** `tidegate completion`: what a shell needs to complete commands, options and their values, written from the program itself. */
import { Argument, type Command } from 'commander';
import { commandsOf } from './examples.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** One command as a shell sees it. */
interface Completed {
  /** Its full name without that of the program, which has none. */
  readonly path: string;
  /** What may follow, each with what it is: commands, options, values of the argument. */
  readonly words: readonly (readonly [word: string, description: string])[];
  /** Options that take one of some values. */
  readonly choices: readonly (readonly [option: string, values: readonly string[]])[];
}

/** Adds `completion SHELL`; prints a script for the shell to read. */
export function registerCompletionCommand(program: Command, print: (text: string) => void): void {
  program
    .command('completion')
    .description('Print a script that completes commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: Shell) => print(SCRIPTS[shell](completedOf(program))));
}

function completedOf(program: Command): Completed[] {
  return commandsOf(program).map(([name, command]) => ({
    path: command === program ? '' : name,
    words: [
      ...command.commands.map((each) => [each.name(), sentence(each.description())] as const),
      ...command.registeredArguments.flatMap(({ argChoices, description }) =>
        (argChoices ?? []).map((value) => [value, sentence(description)] as const),
      ),
      ...[...command.options, { long: '--help', description: 'show help' }].flatMap(
        ({ long, description }) => (typeof long === 'string' ? [[long, sentence(description)] as const] : []),
      ),
    ],
    choices: command.options.flatMap(({ long, argChoices }) =>
      typeof long === 'string' && argChoices ? [[long, argChoices] as const] : [],
    ),
  }));
}

/** The first sentence of a description, without what a shell would read as its own. */
function sentence(description: string): string {
  return (description.split(/[.;:](?:\s|$)/)[0] ?? '').replaceAll(/['"`$\\[\]]/g, '');
}

const wordsOf = ({ words }: Completed): string => words.map(([word]) => word).join(' ');

/** A `case` over command and word before, `COMMAND|WORD`: what may follow goes to the variable `into`. */
function casesOf(commands: readonly Completed[], into: string): string {
  const lines = commands.flatMap((command) => [
    ...command.choices.map(([option, values]) => [`'${command.path}|${option}'`, values.join(' ')]),
    [`'${command.path}|'*`, wordsOf(command)],
  ]);
  return [
    '  case "$at|$previous" in',
    ...lines.map(([pattern, words]) => `    ${pattern}) ${into}='${words}' ;;`),
    '  esac',
  ].join('\n');
}

/** Statements that find `at`, the full name of the command, among the words `typed` before the one at the cursor. */
function whereOf(commands: readonly Completed[], typed: string): string {
  return [
    `  for word in ${typed}; do`,
    `    case "$at\${at:+ }$word" in`,
    `      ${namesOf(commands).join('|')}) at="$at\${at:+ }$word" ;;`,
    '    esac',
    '  done',
  ].join('\n');
}

/** The full names of all commands below the program, in quotes. */
function namesOf(commands: readonly Completed[]): string[] {
  return commands.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `# bash completion of tidegate: eval "$(tidegate completion bash)"
_tidegate() {
  local word words='' at='' current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
${whereOf(commands, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${casesOf(commands, 'words')}
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tidegate tidegate
`,
  zsh: (commands) => `#compdef tidegate
# zsh completion of tidegate: eval "$(tidegate completion zsh)"
_tidegate() {
  local word list='' at='' previous="\${words[CURRENT-1]}"
${whereOf(commands, `"\${(@)words[2,CURRENT-1]}"`)}
${casesOf(commands, 'list')}
  compadd -- \${=list} || _files
}
compdef _tidegate tidegate
`,
  fish: (commands) =>
    [
      '# fish completion of tidegate: tidegate completion fish | source',
      'function __tidegate_at',
      '  set -l at',
      '  for word in (commandline -opc)[2..]',
      `    if contains -- (string join ' ' $at $word) ${namesOf(commands).join(' ')}`,
      '      set -a at $word',
      '    end',
      '  end',
      '  test "$at" = "$argv[1]"',
      'end',
      ...commands.flatMap(fishLinesOf),
      '',
    ].join('\n'),
};

function fishLinesOf({ path, words, choices }: Completed): string[] {
  return words.map(([word, description]) => {
    const values = choices.find(([option]) => option === word)?.[1];
    const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
    const taken = values ? ` -x -a '${values.join(' ')}'` : '';
    return `complete -c tidegate -n '__tidegate_at "${path}"' ${name}${taken} -d '${description}'`;
  });
}
