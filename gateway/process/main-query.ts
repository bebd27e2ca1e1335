/** `npm run start:query`: the query service as a process of its own. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import { runProcess } from './run-process.ts';
import { startQuery } from './start-query.ts';

await runProcess(startQuery, { PORT: '4001' });
