#!/usr/bin/env node
/** The `tidegate` command: hands the arguments to the program and its verdict to the shell. */
import { runProgram } from './create-program.ts';

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
