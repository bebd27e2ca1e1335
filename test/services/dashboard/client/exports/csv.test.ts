/** Checks that a file of rows is one that no spreadsheet computes. */
import { expect } from 'chai';
import { csv, csvCell } from '../../../../../services/dashboard/client/exports/csv.ts';

describe('a file of rows', () => {
  it('begins what a spreadsheet would compute with an apostrophe', () => {
    const formulas = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\tx',
      '\rx',
      ' =1+1',
      '\u00a0=1',
      '\u200b=1',
      '\ufeff=1',
      '＝1',
      '=HYPERLINK("https://evil.example")',
    ];
    for (const formula of formulas) {
      expect(csvCell(formula), JSON.stringify(formula)).to.match(/^"?'/);
    }
    for (const plain of ['/pricing', 'a=b', 'x-y', "'quoted'", '']) {
      expect(csvCell(plain)).to.equal(plain);
    }
  });

  it('keeps numbers numbers, and nothing empty', () => {
    expect([csvCell(-1), csvCell(0.5), csvCell(null), csvCell(undefined)]).to.deep.equal([
      '-1',
      '0.5',
      '',
      '',
    ]);
  });

  it('quotes what would break a row', () => {
    expect(csv(['a', 'b'], [['x,y', 'say "hi"\nthere']])).to.equal('a,b\r\n"x,y","say ""hi""\nthere"\r\n');
  });
});
