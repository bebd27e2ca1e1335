/** Holds the logic of the organization's screen: what a form sends, time zones, whose number a limit is. */
import { expect } from 'chai';
import {
  changesOf,
  settingsOf,
} from '../../../../../../services/dashboard/client/screens/organization/changes.ts';
import { originOf } from '../../../../../../services/dashboard/client/screens/organization/origin-of.ts';
import { timeIn, zones } from '../../../../../../services/dashboard/client/screens/organization/zones.ts';
import { isTimezone } from '../../../../../../services/resources/websites/schema.ts';

const STORED = { name: 'Main', slug: null, timezone: 'UTC' };

describe('the form of the organization', () => {
  it('sends what was typed and differs, and nothing else', () => {
    expect(changesOf({}, STORED)).to.deep.equal({});
    expect(changesOf({ name: 'Main', slug: '', timezone: ' UTC ' }, STORED)).to.deep.equal({});
    expect(changesOf({ timezone: 'Europe/Berlin' }, STORED)).to.deep.equal({ timezone: 'Europe/Berlin' });
    expect(changesOf({ name: ' New ', slug: 'new' }, STORED)).to.deep.equal({ name: 'New', slug: 'new' });
  });

  it('sends an emptied slug as none, and an emptied name as it is, which the API refuses', () => {
    expect(changesOf({ slug: ' ' }, { ...STORED, slug: 'main' })).to.deep.equal({ slug: null });
    expect(changesOf({ name: '' }, STORED)).to.deep.equal({ name: '' });
  });

  it('keeps what was typed when somebody else changed another field meanwhile', () => {
    const typed = { name: 'Mine' };
    const meanwhile = { ...STORED, timezone: 'Asia/Tokyo' };
    expect({ ...settingsOf(meanwhile), ...typed }).to.deep.equal({
      name: 'Mine',
      slug: '',
      timezone: 'Asia/Tokyo',
    });
    expect(changesOf(typed, meanwhile)).to.deep.equal({ name: 'Mine' });
  });
});

describe('the time zones that are offered', () => {
  it('are all valid for the API, UTC first and once', () => {
    const offered = zones();
    expect(offered[0]).to.equal('UTC');
    expect(new Set(offered).size).to.equal(offered.length);
    expect(offered).to.include.members(['Europe/Berlin', 'America/New_York']);
    expect(offered.filter((zone) => !isTimezone(zone))).to.deep.equal([]);
  });

  it('tell what time it is there, and nothing for what is no zone', () => {
    const at = Date.UTC(2026, 0, 15, 12, 0);
    expect(timeIn('Europe/Berlin', 'en', at)).to.match(/^Thu,? .*1:00\sPM/);
    expect(timeIn('Europe/Berlin', 'de', at)).to.include('13:00');
    for (const zone of ['Mars/Base', '', '<b>']) expect(timeIn(zone, 'en', at)).to.equal(null);
  });
});

describe('a limit', () => {
  it('is the number of the organization, of its plan, or of the service', () => {
    expect(originOf('perMinute', [])).to.equal('plan');
    expect(originOf('websites', [])).to.equal('service');
    expect(originOf('perMinute', ['perMinute'])).to.equal('own');
    expect(originOf('links', ['links'])).to.equal('own');
  });
});
