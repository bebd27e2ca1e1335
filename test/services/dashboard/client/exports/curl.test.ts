/** Checks that no text of an address or a visitor changes a command that the pages show. */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import {
  curlOf,
  publicCurlOf,
  sessionCurlOf,
} from '../../../../../services/dashboard/client/exports/curl.ts';

describe('a command', () => {
  const request = {
    method: 'POST',
    path: '/v1/query',
    query: { website_id: "web'; echo stolen; '", timezone: 'Europe/Berlin' },
    body: [{ parameters: ['top_pages'], startDate: "2026'; $(echo stolen) `echo stolen`" }],
  } as const;

  it('is one for every shell, whatever stands in an address', () => {
    const shown = curlOf(request, 'https://api.example.com').replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', shown], { env: { TIDEGATE_KEY: 'tg_1' }, encoding: 'utf8' });
    expect(words.split('\n')).to.deep.equal([
      '-sS',
      'https://api.example.com/v1/query?website_id=web%27%3B+echo+stolen%3B+%27&timezone=Europe%2FBerlin',
      '-H',
      'x-api-key: tg_1',
      '-H',
      'content-type: application/json',
      '-d',
      JSON.stringify(request.body),
      '',
    ]);
  });

  it('that anybody may send names no key, and is one for every shell too', () => {
    const asked = { path: '/public/v1/flags/evaluate', query: { userId: `a'b; $(echo stolen) "c"` } };
    const shown = publicCurlOf(asked, 'https://api.example.com').replace(/^curl/, 'printf "%s\\n"');
    const words = execFileSync('sh', ['-c', shown], { encoding: 'utf8' }).split('\n');
    expect([words.length, words[0]]).to.deep.equal([3, '-sS']);
    expect(new URL(words[1] ?? '').searchParams.get('userId')).to.equal(asked.query.userId);
  });

  it('that logs in does so for the organization of the page, whatever stands in the password, and logs out', () => {
    const password = 'a"b\\c$HOME`id`!\'%s é';
    const command = sessionCurlOf({ path: '/v1/members' }, 'https://api.example.com', 'org_b');
    // Tells its words in a line, and what it is sent where it is asked to send that.
    const told = `curl() { printf '%s\\037' "$@"; case "$*" in *@-*) cat ;; esac; echo; }\n`;
    const said = execFileSync('sh', ['-euc', told + command.replace('-o /dev/null -c', '-c')], {
      env: { PATH: process.env.PATH, TIDEGATE_EMAIL: 'ada@example.com', TIDEGATE_PASSWORD: password },
      encoding: 'utf8',
    });
    const [login = [], read = [], logout = []] = said.split('\n').map((line) => line.split('\x1f'));
    expect(login).to.include('https://api.example.com/v1/auth/login');
    expect(JSON.parse(login.at(-1) ?? '')).to.deep.equal({
      email: 'ada@example.com',
      password,
      organizationId: 'org_b',
    });
    expect(login.slice(0, -1).join()).to.not.include(password);
    expect(read)
      .to.include('https://api.example.com/v1/members')
      .and.include('origin: https://api.example.com');
    expect(logout).to.include('https://api.example.com/v1/auth/logout');
    const jars = [login, read, logout].map(
      (words) => words[words.findIndex((word) => /^-[bc]$/.test(word)) + 1],
    );
    expect(new Set(jars)).to.have.length(1);
  });
});
