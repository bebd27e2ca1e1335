/** Which words the served paths keep from short links, and which links they take the address of. */
import { expect } from 'chai';
import type { ApiEndpoint } from '../../../gateway/configuration/configuration.ts';
import { servedSegments, takenSlugs } from '../../../gateway/configuration/served-segments.ts';

const endpoint = (name: string, paths: readonly string[], own: Partial<ApiEndpoint> = {}) =>
  ({ name, paths, host: null, hostRegex: null, pathRegex: null, ...own }) as ApiEndpoint;

const ENDPOINTS = [
  endpoint('track', ['/track', '/']),
  endpoint('pages', ['/console', '/console/*', '/a', '/v1/query']),
  endpoint('evaluation', ['/public/v1/flags/evaluate']),
  endpoint('again', ['/console/:id', '/track', '/tracker.js']),
  endpoint('hosted', ['/hosted'], { host: 'shop.example.com' }),
  endpoint('link', ['/:slug']),
  endpoint('unmatched', ['/*']),
];

describe('the words that served paths take', () => {
  it('are reserved: the first segment of each path', () => {
    expect(servedSegments({ endpoints: ENDPOINTS })).to.have.members([
      ...['health', 'track', 'console', 'a', 'v1', 'public', 'tracker.js', 'hosted'],
    ]);
  });

  it('are taken from a link where the whole path is the slug, by the first endpoint that has it', () => {
    expect(Object.fromEntries(takenSlugs({ endpoints: ENDPOINTS }))).to.deep.equal({
      health: 'the gateway itself',
      track: 'the endpoint "track"',
      console: 'the endpoint "pages"',
    });
  });
});
