/** The rest of the query string: dates, as older clients send them, and unknown names. */
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import type { Faults } from './faults.ts';
import { QUERY_STRING_NAMES, queryStringSchema } from './request-schema.ts';
import { shown } from './shown.ts';

/** Dates of the query string, which apply where the body has none. */
export interface QueryDates {
  readonly start?: string;
  readonly end?: string;
}

/** An unknown name is a fault, as in the body: a misspelt selector would give wrong numbers. */
export function readQueryDates(query: QueryParameters, faults: Faults): QueryDates {
  const checked = queryStringSchema.safeParse(query, OUR_WORDING);
  if (!checked.success) {
    faults.addIssues(checked.error.issues, '', QUERY_STRING_NAMES);
    return {};
  }
  const { start_date, startDate, end_date, endDate } = checked.data;
  return {
    start: oneSpelling(start_date, startDate, 'start_date', faults),
    end: oneSpelling(end_date, endDate, 'end_date', faults),
  };
}

function oneSpelling(snake: string | undefined, camel: string | undefined, name: string, faults: Faults) {
  if (snake !== undefined && camel !== undefined && snake !== camel) {
    faults.add(name, `Came twice with different values: ${shown(snake)} and ${shown(camel)}.`);
  }
  return snake ?? camel;
}
