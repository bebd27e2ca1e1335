/** Custom SQL of a random grammar at length: every query of every clause with every value, and more random ones. */
import { describeCustomSqlFuzz } from '../support/query/custom-sql-fuzz.ts';

describeCustomSqlFuzz({ queries: 400, oneOf: 1 });
