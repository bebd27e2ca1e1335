/** What visitors send, on the overview in a real browser: it is text, whatever it says, also in the files and commands that leave the page. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { useDashboard } from '../../../../../support/dashboard.ts';

const PAYLOADS = [
  '<script>hacked=1</script>',
  '<img src=x onerror=hacked=1>',
  '"><svg onload=hacked=1>',
  "'-hacked=1-'",
  'javascript:hacked=1',
  '&lt;b&gt;',
  '{{constructor.constructor("hacked=1")()}}',
  '\u202egpj.exe',
  '\u2066\u2067\u202d abc',
  '\u200b=1+1',
  '=HYPERLINK("https://evil.example","x")',
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  "'; rm -rf / #",
  '$(rm -rf /)',
  '%00%0d%0aSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'x'.repeat(250),
];
/** As long as a path may be. */
const LONG_PATH = `/${'long-'.repeat(409)}`;

describe('hostile data on the overview', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const events = [...PAYLOADS, LONG_PATH].map((payload, index) => ({
      websiteId: 'web_blog',
      anonymousId: `v${index}`,
      sessionId: `s${index}`,
      path: payload.startsWith('/') ? payload : `/${payload}`,
      title: payload.slice(0, 500),
      referrer: `https://${index}.evil.example/${payload}`.slice(0, 2_000),
      utm_source: payload.slice(0, 250),
      utm_campaign: payload.slice(0, 250),
      language: payload.slice(0, 35),
    }));
    const sent = await server.call('POST', '/track', {
      key: server.keys.all,
      body: events.flatMap((event, index) => [
        { ...event, name: 'screen_view' },
        { ...event, name: (PAYLOADS[index] ?? 'long').slice(0, 256) },
      ]),
    });
    expect([sent.status, sent.body.count], JSON.stringify(sent.body)).to.deep.equal([200, events.length * 2]);
  });

  it('is shown as it was sent, and neither runs nor widens the page', async () => {
    const visitor = await dashboard.enter(
      '/dashboard/websites/web_blog?range=last_7d&sources=session_sources',
    );
    const { page } = visitor;
    await page.locator('.overview[aria-busy=false] .panel-events tbody tr').first().waitFor();
    for (const panel of ['pages', 'campaigns', 'events', 'sources']) {
      const place = page.locator(`.panel-${panel}`);
      await place.getByRole('button', { name: 'Show more' }).click();
      await place.getByRole('button', { name: 'Show fewer' }).waitFor();
    }
    const shown = (await page.locator('.panel-events tbody th bdi').allTextContents()).sort();
    expect(shown).to.include.members(PAYLOADS);
    const pages = await page.locator('.panel-pages tbody th bdi').allTextContents();
    expect(pages).to.include(LONG_PATH);
    expect(await page.evaluate('typeof hacked')).to.equal('undefined');
    expect(await page.locator('main :is(script, img, iframe, object, embed, b, style)').count()).to.equal(0);
    const links = await page
      .locator('main a')
      .evaluateAll((all) => all.map((each) => String((each as { href?: unknown }).href)));
    expect(links.filter((href) => !href.startsWith(`${dashboard.origin}/dashboard`))).to.deep.equal([]);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await visitor.expectNoWider(`at ${width} px`);
    }
    await visitor.expectAccessible('an overview of hostile data');
  });

  it('is no formula in a file', async () => {
    const { page } = await dashboard.enter('/dashboard/websites/web_blog?range=last_7d');
    const events = page.locator('.panel-events');
    await events.getByRole('button', { name: 'Show more' }).click();
    await events.getByRole('button', { name: 'Show fewer' }).waitFor();
    const download = page.waitForEvent('download');
    await events.getByRole('button', { name: 'Download CSV: Custom events' }).click();
    const file = await download;
    expect(file.suggestedFilename()).to.equal('custom_events.csv');
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(lines[0]).to.equal(
      'name,total_events,unique_users,unique_sessions,first_occurrence,last_occurrence,events_with_properties,percentage',
    );
    const cells = lines.slice(1, -1).map((line) => (line.startsWith('"') ? line.slice(1) : line));
    expect(cells).to.have.length(PAYLOADS.length + 1);
    expect(cells.filter((cell) => /^[\s\p{Cf}]*[=+\-@]/u.test(cell))).to.deep.equal([]);
    expect(cells.filter((cell) => cell.startsWith("'"))).to.have.length(
      PAYLOADS.filter((payload) => /^(?:\u200b?[=+\-@]|')/.test(payload)).length,
    );
  });

  it('does not change the command of an address that somebody made up', async () => {
    const visitor = await dashboard.enter();
    visitor.allowRefusals();
    const { page } = visitor;
    const id = encodeURIComponent("web_blog'; touch stolen; '");
    await page.goto(`${dashboard.origin}/dashboard/websites/${id}`);
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByText('curl').count()).to.equal(0);
    // What an address says of time is read, and told to nobody unless it is a time.
    await page.goto(
      `${dashboard.origin}/dashboard/websites/web_blog?from='$(id)&to=<b>&by=<i>&measure=__proto__&pages=x`,
    );
    await page.locator('.overview[aria-busy=false] .panel-pages tbody tr').first().waitFor();
    await page.locator('.panel-pages').getByRole('button', { name: 'Show as curl: Top' }).click();
    const command = await page.getByRole('dialog').locator('code').textContent();
    expect(command).to.contain('"parameters":["top_pages"],"preset":"last_30d"');
    expect(command).not.to.match(/id\)|<b>/);
  });
});
