#!/usr/bin/env node
/** The `tidegate` command: passes the arguments to the program and its exit code to the shell. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import { constants } from 'node:os';
import { runProgram } from './create-program.ts';

// A reader such as `head` closes the pipe once it has seen enough: that is not an error.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') process.exit(0);
  throw fault;
});

// Without a handler these would not end process 1 of a container, such as a migration that Kubernetes terminates.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
