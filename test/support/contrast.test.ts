/** Checks the contrast that suites of the dashboard judge colours by. */
import { expect } from 'chai';
import { coloursIn, contrastOf } from './contrast.ts';

describe('the contrast of computed colours', () => {
  it('is that of WCAG 2.2: 21 of black and white, 4.54 of #767676 on white', () => {
    const [black, white, grey] = coloursIn('rgb(0, 0, 0), color(srgb 1 1 1), rgb(118, 118, 118)');
    if (!black || !white || !grey) throw new Error('a colour was not read');
    expect(contrastOf(black, white)).to.be.closeTo(21, 0.001);
    expect(contrastOf(grey, white)).to.be.closeTo(4.54, 0.005);
    expect(contrastOf(white, grey)).to.equal(contrastOf(grey, white));
  });

  it('leaves out what shines through', () => {
    expect(coloursIn('linear-gradient(90deg, rgba(0, 0, 0, 0.5) 0%, rgb(255, 0, 0) 100%)')).to.deep.equal([
      [1, 0, 0],
    ]);
  });
});
