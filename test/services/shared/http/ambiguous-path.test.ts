/** Ambiguous paths: every spelling of a dot segment is one, and what only looks like it stays a path. */
import { expect } from 'chai';
import { isAmbiguous } from '../../../../services/shared/http/ambiguous-path.ts';

const DOTS = ['.', '..', '%2e', '%2E', '.%2e', '%2e.', '%2E%2e'];
/** What some servers drop behind a segment before they read it. */
const PARAMETERS = ['', ';', ';x', ';x=1', ';x=1;y', ';.', '%3b', '%3Bx=1', ';%3b'];

describe('an ambiguous path', () => {
  it('has a dot segment, however it is encoded and with whatever parameters', () => {
    for (const dots of DOTS)
      for (const parameters of PARAMETERS)
        for (const around of ['/a/S/admin', '/S/admin', '/a/S', '/S', 'S'])
          expect(isAmbiguous(around.replace('S', `${dots}${parameters}`)), `${dots}${parameters}`).to.equal(
            true,
          );
  });

  it('has an encoded slash, a backslash, NUL or an encoded plain character', () => {
    for (const path of ['/a%2fb', '/a%2Fb', '/a%5cb', '/a\\b', '/a%00', '/%61', '/%7e', '/a%2d', '/%30'])
      expect(isAmbiguous(path), path).to.equal(true);
  });

  it('is none with dots, semicolons and other characters of a segment alone', () => {
    const plain = [
      '/',
      '/a',
      '/a//b',
      '/..foo',
      '/foo..',
      '/...',
      '/.well-known/x',
      '/a.b/c..d',
      '/..foo;x/y',
    ];
    for (const path of [
      ...plain,
      '/a;b',
      '/a;b=1/c',
      '/;',
      '/;/a',
      '/a;..',
      '/a;../b',
      '/.a;b',
      '/a%3bb',
      '/a%20b',
    ])
      expect(isAmbiguous(path), path).to.equal(false);
  });
});
