/** Checks the addresses of a website's screens. */
import { expect } from 'chai';
import {
  WEBSITE_SCREENS,
  websiteIn,
  websitePath,
} from '../../../../../services/dashboard/client/website/website-links.ts';

describe('the addresses of a website', () => {
  it('tell their website back, whatever its identifier', () => {
    for (const id of ['web_shop', 'a/b', 'ü ?#']) {
      for (const screen of WEBSITE_SCREENS) expect(websiteIn(websitePath(id, screen))).to.equal(id);
    }
  });

  it('are none of a website where a path is about none', () => {
    for (const path of [
      '/dashboard',
      '/dashboard/websites/new',
      '/dashboard/keys',
      '/dashboard/websites/%E0%A4%A',
    ]) {
      expect(websiteIn(path), path).to.equal(undefined);
    }
  });
});
