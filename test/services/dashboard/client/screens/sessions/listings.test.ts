/** Checks that the lists of sessions and visitors name datasets and columns that the API has. */
import { expect } from 'chai';
import {
  SESSIONS,
  sessionsOf,
  TOTALS,
  timelineOf,
} from '../../../../../../services/dashboard/client/screens/sessions/listings.ts';
import { VISITORS } from '../../../../../../services/dashboard/client/screens/visitors/listings.ts';
import { DATASETS_BY_NAME } from '../../../../../../services/query/datasets/index.ts';

const columnsOf = (dataset: string) => DATASETS_BY_NAME.get(dataset)?.columns.map(({ name }) => name) ?? [];

describe('the lists of sessions and visitors', () => {
  it('name datasets and columns that the API has', () => {
    for (const { dataset, columns, searched = [] } of [
      SESSIONS,
      VISITORS,
      timelineOf('s'),
      sessionsOf('v'),
    ]) {
      const named = [...columns.map(({ key }) => key), ...searched];
      expect(columnsOf(dataset), dataset).to.include.members(named);
    }
    for (const { dataset, key } of TOTALS) expect(columnsOf(dataset), dataset).to.include(key);
  });

  it('say whose they are', () => {
    expect(timelineOf('s').arguments).to.deep.equal({ sessionId: 's' });
    expect(sessionsOf('v').arguments).to.deep.equal({ visitorId: 'v' });
  });
});
