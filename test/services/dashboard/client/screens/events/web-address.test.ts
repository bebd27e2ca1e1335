/** Checks which targets of links may be links of the dashboard: those that lead to a page on the web, and no other. */
import { expect } from 'chai';
import { webAddress } from '../../../../../../services/dashboard/client/screens/events/web-address.ts';
import { HOSTILE_TEXTS } from '../../../../../support/hostile-texts.ts';

describe('the target of a link', () => {
  it('is a link when it leads to a page on the web', () => {
    for (const href of ['https://example.com/', 'http://example.com/a?b#c', 'HTTPS://EXAMPLE.com']) {
      expect(webAddress(href)).to.equal(href);
    }
  });

  it('is a text when it does not, however it is written', () => {
    const others = [
      ...['', '/a', '//example.com', 'example.com', 'mailto:a@example.com', 'javascript:alert(1)'],
      ...[' https://example.com', '\thttps://example.com', 'java\nscript:alert(1)', 'data:text/html,x'],
      ...['https:example.com', 'https:/example.com', 'http://', 'https://exa mple.com', 'ftp://example.com'],
    ];
    for (const href of others) expect(webAddress(href), href).to.equal(undefined);
    for (const href of HOSTILE_TEXTS) {
      const address = webAddress(href);
      if (address !== undefined) expect(new URL(address).protocol, href).to.match(/^https?:$/);
    }
  });
});
