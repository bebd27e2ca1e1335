/** `npm run start:tracking`: the tracking service as a process of its own. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import { runProcess } from './run-process.ts';
import { startTracking } from './start-tracking.ts';

await runProcess(startTracking, { PORT: '4002' });
