/** Parameters of policies as operators see them: no text that may be a secret. */
import { expect } from 'chai';
import { z } from 'zod';
import type { LoadedPlugins } from '../../../gateway/configuration/loaded-plugins.ts';
import { policyWords, shownSettings } from '../../../gateway/configuration/shown-settings.ts';

const SCHEMA = z.strictObject({
  read: z.enum(['whole', 'stream']),
  mode: z.literal('strict').optional(),
  either: z.union([z.literal('all'), z.array(z.enum(['one', 'two']))]).optional(),
  text: z.string(),
});

describe('the settings of a policy', () => {
  const plugins = {
    complete: true,
    plugins: [
      {
        ...{ name: 'p', package: '/p.js', conditions: new Map() },
        policies: [
          { name: 'body', schema: SCHEMA },
          { name: 'foreign', schema: null },
        ],
      },
    ],
  } as unknown as LoadedPlugins;
  const words = policyWords(plugins);

  it('show numbers, words of the policy and names of the configuration, and hide every other text', () => {
    const settings = {
      ...{ read: 'whole', mode: 'strict', either: ['one', 'other'], text: 'hunter2', maxBytes: 1_024 },
      set: { 'x-key': 'hunter2', isOn: true, none: null },
      serviceEndpoint: 'orders',
    };
    expect(shownSettings(settings, words.get('body') ?? new Set(), new Set(['orders']))).to.deep.equal({
      ...{ read: 'whole', mode: 'strict', either: ['one', '…'], text: '…', maxBytes: 1_024 },
      set: { 'x-key': '…', isOn: true, none: null },
      serviceEndpoint: 'orders',
    });
  });

  it('of a policy whose words nobody knows hide every text', () => {
    expect(words.get('foreign')).to.deep.equal(new Set());
    expect(shownSettings({ a: 'whole', b: 2 }, words.get('foreign') ?? new Set(), new Set())).to.deep.equal({
      ...{ a: '…', b: 2 },
    });
  });
});
