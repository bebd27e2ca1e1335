/** Checks that the screen of sources names datasets, columns and arguments that the API has, with a goal and without. */
import { expect } from 'chai';
import {
  CAMPAIGN_PARTS,
  sourceListing,
  TABS,
  totalsOf,
  totalsQuestion,
} from '../../../../../../services/dashboard/client/screens/sources/listings.ts';
import type { Scene } from '../../../../../../services/dashboard/client/website/scene.ts';
import { expectListingKnown, expectTotalsKnown } from '../../../../../support/listing-in-catalogue.ts';

describe('the lists of sources', () => {
  for (const goalId of [undefined, 'gol_1']) {
    for (const tab of TABS) {
      it(`are known to the API: ${tab}, ${goalId ?? 'without a goal'}`, () => {
        for (const part of CAMPAIGN_PARTS) expectListingKnown(sourceListing(tab, part, goalId));
      });
    }

    it(`have totals that are known to the API: ${goalId ?? 'without a goal'}`, () => {
      expectTotalsKnown(totalsOf(goalId));
    });
  }

  it('ask for the goal beside the totals, and for no goal where none is chosen', () => {
    const scene: Scene = {
      ...{ websiteId: 'web_1', timezone: 'UTC', granularity: 'daily', filters: [], comparison: undefined },
      range: { preset: 'today' },
    };
    expect(totalsQuestion(scene, undefined).parameters).to.deep.equal(['summary_metrics']);
    expect(totalsQuestion(scene, 'gol_1').parameters).to.deep.equal([
      'summary_metrics',
      { name: 'goals', goalId: 'gol_1' },
    ]);
  });
});
