/** `npm run start:resources`: the resources service as a process of its own. */
import '../../services/shared/process/no-inspector.ts';
import '../../services/shared/process/memory.ts';
import { runProcess } from './run-process.ts';
import { startResources } from './start-resources.ts';

await runProcess(startResources, { PORT: '4003' });
