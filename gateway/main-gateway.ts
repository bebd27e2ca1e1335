/** `npm run start:gateway`: a further gateway beside a running embedded server. */
import { runProcess } from './run-process.ts';
import { startGateway } from './start-gateway.ts';

await runProcess(startGateway);
