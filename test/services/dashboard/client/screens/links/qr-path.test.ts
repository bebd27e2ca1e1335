/** A QR code as a path: every dark cell of the code is drawn once, and none in the white around it. */
import { expect } from 'chai';
import { correction, generate } from 'lean-qr/nano';
import { QUIET, qrPath } from '../../../../../../services/dashboard/client/screens/links/qr-path.ts';

/** The cells that a path covers, each by how often. */
function covered(path: string): Map<string, number> {
  const cells = new Map<string, number>();
  const pieces = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  expect(pieces.map(([piece]) => piece).join('')).to.equal(path);
  for (const [, x, y, there, back] of pieces) {
    expect(there).to.equal(back);
    for (let cell = Number(x); cell < Number(x) + Number(there); cell++) {
      const place = `${cell} ${y}`;
      cells.set(place, (cells.get(place) ?? 0) + 1);
    }
  }
  return cells;
}

describe('a QR code as a path', () => {
  for (const address of ['https://go.example.com/sale', `https://go.example.com/${'x'.repeat(50)}`]) {
    it(`covers the dark cells, once each: ${address.length} characters`, () => {
      const code = generate(address, { minCorrectionLevel: correction.M });
      const dark: string[] = [];
      for (let y = 0; y < code.size; y++) {
        for (let x = 0; x < code.size; x++) if (code.get(x, y)) dark.push(`${x + QUIET} ${y + QUIET}`);
      }
      const cells = covered(qrPath(code));
      expect([...cells.keys()]).to.have.members(dark);
      expect(new Set(cells.values())).to.deep.equal(new Set([1]));
      // A corner of every code: its frame of seven cells.
      expect(qrPath(code)).to.match(new RegExp(`^M${QUIET} ${QUIET}h7v1h-7z`));
    });
  }

  it('is empty of a code without a dark cell', () => {
    expect(qrPath({ size: 21, get: () => false })).to.equal('');
  });
});
