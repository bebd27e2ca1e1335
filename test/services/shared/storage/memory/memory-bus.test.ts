/** The bus of one process keeps the port's contract. */
import { MemoryBus } from '../../../../../services/shared/storage/memory/memory-bus.ts';
import { busContract } from '../../../../contract/bus.contract.ts';

busContract('MemoryBus', async () => {
  const bus = new MemoryBus();
  return { here: bus, there: bus, close: () => bus.close() };
});
