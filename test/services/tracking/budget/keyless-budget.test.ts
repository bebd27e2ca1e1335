/** The day's budget of keyless senders where several processes and a restart share it, over the document store. */
import { expect } from 'chai';
import { type KeylessUsage, keylessUsageId } from '../../../../services/shared/model/keyless-usage.ts';
import type { Website } from '../../../../services/shared/model/website.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import {
  createKeylessBudget,
  type KeylessBudget,
} from '../../../../services/tracking/budget/keyless-budget.ts';
import { newWebsite } from '../../../contract/document-store.contract.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const DAY_MS = 86_400_000;
/** After which everything is written. */
const TIMER_MS = 30_000;

describe('the budget of keyless senders', () => {
  let directory: TempDirectory;
  let clock: TestClock;
  let documents: SqliteDocumentStore;
  let website: Website;
  let budgets: KeylessBudget[];
  let addresses: number;

  beforeEach(async () => {
    directory = createTempDirectory();
    clock = createTestClock();
    documents = createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock });
    website = await documents.websites.insert(
      newWebsite('web_1', { domain: 'example.com', settings: { keylessBytesPerDay: 10_000 } }),
    );
    budgets = [];
    addresses = 0;
  });
  afterEach(async () => {
    for (const budget of budgets) await budget.close();
    await documents.close();
    directory.remove();
  });

  /** As a tracking process makes it. */
  function start(): KeylessBudget {
    const budget = createKeylessBudget({ documents, clock, logger: createLogWatch().logger });
    budgets.push(budget);
    return budget;
  }
  /** Takes bytes from an address that never sent before, or from `address`. */
  const take = (budget: KeylessBudget, bytes: number, address = `10.0.0.${++addresses}`) =>
    budget.take({ website, headers: { 'x-forwarded-for': address } }, { bytes });
  const written = async (): Promise<KeylessUsage | null> =>
    documents.keylessUsage.get(website.organizationId, keylessUsageId(website.id));
  const refusalOf = async (taking: Promise<unknown>) => {
    const { kind, reason, fields, headers, message } = (await rejection(taking)) as never;
    return { kind, reason, fields, headers, message } as Record<string, unknown>;
  };

  it('is full for everybody at its end, and says until when; given back, it is there again', async () => {
    const budget = start();
    for (let n = 0; n < 9; n++) await take(budget, 1_000);
    const giveBack = await take(budget, 1_000);
    const midnight = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
    const retryAfter = Math.ceil((midnight - clock.now()) / 1000);
    expect(await refusalOf(take(budget, 1))).to.deep.equal({
      kind: 'RATE_LIMIT_EXCEEDED',
      reason: 'day_full',
      fields: { limit: 10_000, remaining: 0, reset: new Date(midnight).toISOString(), retryAfter },
      headers: { 'Retry-After': String(retryAfter), 'X-RateLimit-Reset': String(midnight / 1000) },
      message: `The website "web_1" takes 10000 bytes without an API key a day, and they are used up; retry in ${retryAfter} s, or send an API key.`,
    });
    giveBack();
    await take(budget, 1_000);
    clock.advance(midnight - clock.now());
    await take(budget, 1_000);
  });

  it('gives one address a tenth, an IPv6 network of 64 bits as one', async () => {
    const budget = start();
    await take(budget, 600, '2001:db8:1:2::1');
    expect(await refusalOf(take(budget, 600, '2001:db8:1:2:ffff::9'))).to.deep.include({
      reason: 'day_full',
      fields: { ...((await refusalOf(take(budget, 600, '2001:db8:1:2::1'))).fields as object), limit: 1_000 },
    });
    await take(budget, 400, '2001:db8:1:2::3');
    await take(budget, 600, '2001:db8:1:3::1');
  });

  it('outlasts a restart, and is kept in one document that the next day begins anew', async () => {
    const first = start();
    for (let n = 0; n < 8; n++) await take(first, 1_000);
    await first.close();
    expect(await written()).to.include({ bytes: 8_000, profiles: 0, websiteId: 'web_1' });
    const second = start();
    await take(second, 1_000);
    await take(second, 1_000);
    expect(await refusalOf(take(second, 1_000))).to.include({ reason: 'day_full' });
    clock.advance(DAY_MS);
    await take(second, 500);
    await second.close();
    expect(await written()).to.include({ bytes: 500, day: new Date(clock.now()).toISOString().slice(0, 10) });
    expect(await documents.keylessUsage.all(website.organizationId)).to.have.length(1);
  });

  it('is shared by processes: what one took the other knows once both have written', async () => {
    const [one, other] = [start(), start()];
    // Both know of nothing, then each counts for itself.
    await take(one, 1);
    await take(other, 1);
    for (let n = 0; n < 5; n++) await take(one, 900);
    for (let n = 0; n < 5; n++) await take(other, 900);
    await one.flush();
    await other.flush();
    expect(await written()).to.include({ bytes: 9_002 });
    expect(await refusalOf(take(other, 999)), 'it has read what the first wrote').to.include({
      reason: 'day_full',
    });
    await take(other, 998);
    await other.flush();
    await take(one, 1);
    await one.flush();
    expect(await refusalOf(take(one, 1))).to.include({ reason: 'day_full' });
  });

  it('is written at once after a hundredth of it, without waiting for its timer', async () => {
    const begun = performance.now();
    const budget = start();
    await take(budget, 50);
    await take(budget, 900);
    await until('it is written', async () => (await written()) !== null);
    expect(performance.now() - begun).to.be.below(TIMER_MS);
    expect(await written()).to.include({ bytes: 950 });
  });

  it('leaves nothing of a website that is gone', async () => {
    const budget = start();
    await take(budget, 900);
    await documents.websites.remove(website.organizationId, website.id);
    await budget.close();
    expect(await documents.keylessUsage.all(website.organizationId)).to.deep.equal([]);
  });
});
