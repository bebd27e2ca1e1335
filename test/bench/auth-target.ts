/** One gateway of the auth bench in a process of its own, which tells its CPU time when asked. */
import { startGateway } from '../support/start-gateway.ts';

const [upstream = '', configDir = ''] = process.argv.slice(2);
const gateway = await startGateway({ upstream, configDir });
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit(0));
process.send?.({ origin: gateway.origin, key: gateway.key });
