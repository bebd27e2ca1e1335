/** What larger plans would have admitted, over stored counts: which plans are compared, and whose refusals count. */
import { expect } from 'chai';
import { activitySlot } from '../../../../services/shared/model/activity.ts';
import { requestLabels } from '../../../../services/shared/model/request-labels.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const MINUTE_MS = 60_000;

describe('what larger plans would have admitted', () => {
  let service: ResourcesService;
  before(async () => {
    service = await startResourcesService();
    const count = async (minutesAgo: number, limit: string, window: string, requests: number) => {
      const { slot, startsAtMs } = activitySlot('minute', service.clock.now() - minutesAgo * MINUTE_MS);
      const outcome = limit === '' ? 'ok' : 'limited';
      const labels = requestLabels({ key: 'key_a', endpoint: 'query', outcome, limit, window });
      const of = { organizationId: 'org_one', websiteId: null, series: 'requests', grain: 'minute' } as const;
      await service.documents.addActivity([
        { ...of, startsAtMs, counts: { [`${slot}|${labels}`]: requests } },
      ]);
    };
    await count(5, '', '', 300);
    await count(5, 'plan', '60 s', 70);
    await count(5, 'plan', '10 s', 20);
    await count(8, 'plan', '10 s', 30);
    await count(5, 'custom-sql', '60 s', 9);
    await count(120, 'plan', '60 s', 1_000);
  });
  after(() => service.close());

  const ask = async (query: string) => {
    const answer = await service.ask(sessionOf('viewer'), 'GET', `/v1/usage/plans${query}`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.data;
  };
  const named = ({ larger }: { larger: readonly { plan: string; admitted: number }[] }) =>
    larger.map(({ plan, admitted }) => [plan, admitted]);

  it('is told of every plan that is larger, for the windows of the plan alone', async () => {
    const hour = await ask('?range=hour');
    expect(hour).to.include({ plan: 'free', per10Seconds: 50, perMinute: 300, perDay: null });
    expect([hour.refused, hour.minutes]).to.deep.equal([120, 2]);
    // Pro has 150 more within ten seconds, and 900 more within a minute: that is all of 90 and of 30.
    expect(named(hour)).to.deep.equal([['pro', 120]]);
    const day = await ask('');
    expect([day.refused, day.minutes]).to.deep.equal([1_120, 3]);
    // And 150 of 1,000.
    expect(named(day)).to.deep.equal([['pro', 270]]);
  });

  it('leaves out what the numbers of its own decide on every plan', async () => {
    const organization = await service.documents.organizations.get('org_one', 'org_one');
    const limits = { per10Seconds: 90, perMinute: 400 };
    await service.documents.organizations.update('org_one', 'org_one', organization?.version ?? 0, {
      limits,
    });
    expect(named(await ask('?range=hour'))).to.deep.equal([]);
  });
});
