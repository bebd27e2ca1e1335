#!/usr/bin/env node
/** The `tidegate` command: hands the arguments to the program and its verdict to the shell. */
import { constants } from 'node:os';
import { runProgram } from './create-program.ts';

// A reader that has seen enough, such as `head`, ends the pipe: that is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') process.exit(0);
  throw fault;
});

// Unheard, these would not end the first process of a container, such as a migration that Kubernetes takes back.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
