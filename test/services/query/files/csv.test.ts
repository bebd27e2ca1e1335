/** Cells of CSV: the service and the dashboard, which shares no code with it, guard and quote alike. */
import { expect } from 'chai';
import { csvCell as dashboardCell } from '../../../../services/dashboard/client/exports/csv.ts';
import { csvCell } from '../../../../services/query/files/csv.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';

describe('a cell of CSV', () => {
  it('is the one that the dashboard writes', () => {
    const blanks = ['', ' ', '\t', '\r', '\u00a0', '\u200b', '\ufeff'];
    const texts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', ',', ';', '"', "'", '\n', 'a=b', '/'];
    const all = [...HOSTILE_TEXTS, ...blanks.flatMap((blank) => texts.map((text) => `${blank}${text}1`))];
    for (const value of [...all, null, -1, 0.5]) expect(csvCell(value)).to.equal(dashboardCell(value));
  });

  it('holds an object as JSON', () => {
    expect(csvCell({ a: 'say "hi"' })).to.equal('"{""a"":""say \\""hi\\""""}"');
  });
});
