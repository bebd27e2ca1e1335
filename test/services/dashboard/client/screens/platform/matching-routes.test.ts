/** Which routes a search and filters find. */
import { expect } from 'chai';
import {
  choicesOf,
  HERE,
  matchingRoutes,
  placeOf,
} from '../../../../../../services/dashboard/client/screens/platform/matching-routes.ts';

const COMMON = { pipeline: 'api', policies: ['auth', 'proxy'], rule: 'read:data', file: 'a.yml', line: 3 };
const ROUTES = [
  { ...COMMON, method: 'GET', path: '/v1/flags', endpoint: 'flags', service: 'resources', limits: [] },
  { ...COMMON, method: 'POST', path: '/v1/query', endpoint: 'query', service: 'query', limits: ['batch'] },
  {
    ...COMMON,
    ...{ method: 'GET', path: '/home', endpoint: 'home', service: null, limits: ['pages', 'batch'] },
    ...{ rule: 'public', policies: ['redirect'], file: 'teams/pages.yml', line: null },
  },
];

describe('the search of routes', () => {
  const found = (wanted: Parameters<typeof matchingRoutes>[1]) =>
    matchingRoutes(ROUTES, wanted).map(({ endpoint }) => endpoint);

  it('finds all without a wish, and what has every word in anything that is shown', () => {
    expect(found({})).to.deep.equal(['flags', 'query', 'home']);
    expect(found({ search: '  ' })).to.deep.equal(['flags', 'query', 'home']);
    expect(found({ search: 'GET read' })).to.deep.equal(['flags']);
    expect(found({ search: 'PROXY' })).to.deep.equal(['flags', 'query']);
    expect(found({ search: 'teams/pages' })).to.deep.equal(['home']);
    expect(found({ search: 'a.yml:3' })).to.deep.equal(['flags', 'query']);
    expect(found({ search: 'nothing like it' })).to.deep.equal([]);
  });

  it('takes a backend and a limit besides, and those that the gateway answers', () => {
    expect(found({ backend: 'query' })).to.deep.equal(['query']);
    expect(found({ backend: HERE })).to.deep.equal(['home']);
    expect(found({ limit: 'batch' })).to.deep.equal(['query', 'home']);
    expect(found({ limit: 'batch', backend: 'query', search: 'flags' })).to.deep.equal([]);
    expect(choicesOf(ROUTES, 'backend')).to.deep.equal([HERE, 'query', 'resources']);
    expect(choicesOf(ROUTES, 'limit')).to.deep.equal(['batch', 'pages']);
  });

  it('names places as the command line does', () => {
    expect(ROUTES.map(placeOf)).to.deep.equal(['a.yml:3', 'a.yml:3', 'teams/pages.yml']);
  });
});
