/** `npm start`: the embedded server. */
import { startEmbedded } from './embedded.ts';
import { runProcess } from './run-process.ts';

await runProcess(startEmbedded);
