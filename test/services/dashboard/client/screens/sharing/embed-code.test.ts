/** The line that embeds a share: whatever its name, it is one frame and nothing else. */
import { expect } from 'chai';
import { embedCode, linkOf } from '../../../../../../services/dashboard/client/screens/sharing/embed-code.ts';
import { HOSTILE_TEXTS } from '../../../../../support/hostile-texts.ts';

const LINK = linkOf('https://stats.example.com', 'A'.repeat(43), 'dark');

describe('the code that embeds a share', () => {
  it('names the theme where one was chosen', () => {
    expect(LINK).to.equal(`https://stats.example.com/share/${'A'.repeat(43)}?theme=dark`);
    expect(linkOf('https://stats.example.com', 'x')).to.equal('https://stats.example.com/share/x');
  });

  it('is one element with one title, whatever the name of the share', () => {
    for (const name of [...HOSTILE_TEXTS, 'A & B "quoted" <b>']) {
      const code = embedCode(LINK, name);
      const [, title = ''] =
        /^<iframe src="[^"<&]+" title="([^"<]*)" [a-z0-9=":% -]+><\/iframe>$/s.exec(code) ?? [];
      const read = title.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
      expect(read, code).to.equal(name);
    }
  });
});
