#!/usr/bin/env node
/** The `tidegate` command: hands the arguments to the program and its verdict to the shell. */
import { runProgram } from './create-program.ts';

// A reader that has seen enough, such as `head`, ends the pipe: that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') process.exit(0);
  throw fault;
});

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
