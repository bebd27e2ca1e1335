/** Which parameter of a path limits may count: the only one, at one place in every path of the endpoint. */
import { expect } from 'chai';
import { countedSegment } from '../../../gateway/configuration/counted-segment.ts';

describe('the parameter that limits count', () => {
  it('is the only one of every path, at the same place', () => {
    expect(countedSegment(['/public/v1/shares/:token/query'])).to.equal(3);
    expect(countedSegment(['/a/:id', '/b/:id', '/b/:id/c'])).to.equal(1);
    expect(countedSegment(['/:slug'])).to.equal(0);
  });

  it('is none where a path has none, several, any further segments, or one elsewhere', () => {
    for (const paths of [['/a'], ['/a/:id', '/a'], ['/:a/:b'], ['/a/*'], ['/:id', '/a/:id'], ['/a/:id/*']]) {
      expect(countedSegment(paths), paths.join()).to.equal(undefined);
    }
  });
});
