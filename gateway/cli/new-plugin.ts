/** `tidegate new-plugin NAME`: writes a plugin that builds, passes its test and loads, to be changed into another. */
import type { Command } from 'commander';
import { requireFreeName, requirePluginName } from './new-plugin/name.ts';
import { placePlugin } from './new-plugin/place.ts';
import { writePlugin } from './new-plugin/write-plugin.ts';

export interface NewPluginCommandContext {
  /** The folder of this package. */
  readonly packageRoot: string;
  /** Where the command runs. */
  workingDirectory(): string;
  print(text: string): void;
}

/** Adds `new-plugin NAME`; prints what was written, how to try it, and what to put into the configuration. */
export function registerNewPluginCommand(program: Command, context: NewPluginCommandContext): void {
  program
    .command('new-plugin')
    .description('Write a plugin with one policy, its schema, README and test.')
    .argument('<name>', 'name of the plugin and of its policy, in kebab-case')
    .addHelpText(
      'after',
      '\nAt the top of the source of Tidegate it writes into plugins/, elsewhere a package of its own.',
    )
    .action((name: string) => {
      requirePluginName(name);
      const place = placePlugin(name, context.workingDirectory(), context.packageRoot);
      requireFreeName(name, place);
      writePlugin(place);
      context.print(place.nextSteps);
    });
}
