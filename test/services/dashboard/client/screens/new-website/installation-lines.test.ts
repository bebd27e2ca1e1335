/** The lines that people copy: what stands in them stays a value, whatever an identifier is made of. */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import {
  pageviewCurl,
  snippetOf,
} from '../../../../../../services/dashboard/client/screens/new-website/installation-lines.ts';

const ORIGIN = 'https://analytics.example.com';

describe('the lines to copy', () => {
  it('are the element that the tracker needs', () => {
    expect(snippetOf(ORIGIN, 'web_1')).to.equal(
      '<script defer src="https://analytics.example.com/tracker.js" data-client-id="web_1"></script>',
    );
    expect(snippetOf(ORIGIN, 'a"b&<c>')).to.contain('data-client-id="a&quot;b&amp;&lt;c&gt;"');
  });

  for (const id of ['web_1', `o'clock "x" $HOME \`id\` \\`]) {
    it(`are a command of a shell that sends one pageview: ${id}`, () => {
      const script = `curl() { printf '%s\\0' "$@"; }; TIDEGATE_KEY=tg_key; ${pageviewCurl(ORIGIN, id)}`;
      const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
      expect(words.slice(0, -1)).to.deep.equal([
        '-sS',
        `${ORIGIN}/track`,
        '-H',
        'x-api-key: tg_key',
        '-H',
        'content-type: application/json',
        '-d',
      ]);
      expect(JSON.parse(words.at(-1) ?? '')).to.include({ name: 'screen_view', websiteId: id });
    });
  }
});
