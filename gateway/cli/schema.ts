/** `tidegate schema [FILE]`: the JSON Schema of a file of the configuration, for editors and other tools. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import {
  type DescribedFile,
  fileSchema,
  SCHEMA_FILES,
  shippedPolicies,
} from '../configuration/file-schemas.ts';

const FILES = Object.keys(SCHEMA_FILES) as DescribedFile[];

/** Adds `schema [FILE]`; with `--out` it writes the schemas of all files. */
export function registerSchemaCommand(program: Command, print: (text: string) => void): void {
  program
    .command('schema')
    .description(
      'Print the JSON Schema of a configuration file, with the parameters of all shipped policies.',
    )
    .addArgument(new Argument('[file]', 'which file').choices(FILES).default('gateway.config.yml'))
    .option('--out <dir>', 'write the schemas of all files into this folder instead')
    .action(async (file: DescribedFile, options: { out?: string }) => {
      const policies = await shippedPolicies();
      const textOf = (name: DescribedFile) => `${JSON.stringify(fileSchema(name, policies), null, 2)}\n`;
      if (options.out === undefined) return print(textOf(file));
      mkdirSync(options.out, { recursive: true });
      for (const name of FILES) writeFileSync(join(options.out, SCHEMA_FILES[name]), textOf(name));
      print(`written to ${options.out}: ${Object.values(SCHEMA_FILES).join(', ')}\n`);
    });
}
