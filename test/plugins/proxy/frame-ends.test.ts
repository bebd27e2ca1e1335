/** The ends of frames are found however the bytes are cut. */
import { expect } from 'chai';
import fc from 'fast-check';
import { closeFrame, FrameEnds } from '../../../plugins/proxy/frame-ends.ts';
import { frame } from '../../support/web-socket-backend.ts';

describe('ends of frames', () => {
  const sizes = fc.array(fc.constantFrom(0, 1, 125, 126, 127, 65_535, 65_536, 70_000), { maxLength: 6 });

  it('are found wherever the bytes are cut', () => {
    fc.assert(
      fc.property(sizes, fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1 }), (lengths, cuts) => {
        const all = lengths.map((length) => frame(2, Buffer.alloc(length, 0x88)));
        const bytes = Buffer.concat(all);
        const ends = new Set(all.map((_, index) => Buffer.concat(all.slice(0, index + 1)).length));
        const frames = new FrameEnds();
        let at = 0;
        for (let turn = 0; at < bytes.length; turn++) {
          const part = bytes.subarray(at, at + (cuts[turn % cuts.length] as number));
          const whole = frames.take(part);
          const within = [...ends].filter((end) => end > at && end <= at + part.length);
          expect(whole).to.equal(within.length === 0 ? 0 : Math.max(...within) - at);
          at += part.length;
          expect(frames.isBetween).to.equal(ends.has(at));
        }
        expect(frames.isBetween).to.equal(true);
        expect(frames.hasClosed).to.equal(false);
      }),
    );
  });

  it('tell a Close frame, with and without a mask', () => {
    for (const mask of [null, Buffer.from([1, 2, 3, 4])]) {
      const frames = new FrameEnds();
      const bytes = closeFrame(1001, 'gone', mask);
      expect(frames.take(bytes)).to.equal(bytes.length);
      expect([frames.hasClosed, frames.isBetween]).to.deep.equal([true, true]);
    }
    expect(closeFrame(1001, 'a', null).toString('hex')).to.equal('880303e961');
    expect(closeFrame(1001, 'a', Buffer.from([0xff, 0, 0, 0])).toString('hex')).to.equal(
      '8883ff000000fce961',
    );
  });
});
