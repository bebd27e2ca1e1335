/** Two hundred reloads under load; the suite makes forty. */
import { reloadsUnderLoad } from '../support/reloads-under-load.ts';

describe('a gateway under load', () => reloadsUnderLoad(200));
