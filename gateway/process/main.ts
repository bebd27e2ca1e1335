/** `npm start`: the embedded server. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import { startEmbedded } from './embedded.ts';
import { runProcess } from './run-process.ts';

await runProcess(startEmbedded);
