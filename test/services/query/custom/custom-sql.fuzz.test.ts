/** Custom SQL of a small random grammar, and parameters of odd types in every clause: nothing of it is a fault of ours. */
import { describeCustomSqlFuzz } from '../../../support/query/custom-sql-fuzz.ts';

describeCustomSqlFuzz({ queries: 150, oneOf: 3 });
