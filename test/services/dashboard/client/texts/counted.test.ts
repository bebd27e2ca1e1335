/** Checks the sentences that count something: one is no many, in every language. */
import { expect } from 'chai';
import { loadClientModule } from '../../../../support/client-module.ts';

type Say = (...counts: unknown[]) => string;
type Words = { readonly [name: string]: Say } & { readonly person: { readonly events: Say } };

describe('sentences that count', () => {
  async function expectSaid(file: string, say: (words: Words, count: number) => string, ...said: string[]) {
    const [words] = Object.values(await loadClientModule<Record<string, Words>>(file)) as [Words];
    expect([say(words, 1), say(words, 2)], file).to.deep.equal(said);
  }

  it('say one row of one, and more of two', async () => {
    const rows = (words: Words, count: number) => words.rows?.(count, '9') ?? '';
    await expectSaid('screens/sql/texts-en.ts', rows, '1 row in 9 ms.', '2 rows in 9 ms.');
    await expectSaid('screens/sql/texts-de.ts', rows, '1 Zeile in 9 ms.', '2 Zeilen in 9 ms.');
  });

  it('say one request and one minute of one, and more of two', async () => {
    const refused = (words: Words, count: number) => words.refusedByPlan?.(count, count, 'Day') ?? '';
    await expectSaid(
      ...(['screens/requests/texts-en.ts', refused] as const),
      'Day: 1 request refused, in 1 minute, by the plan',
      'Day: 2 requests refused, in 2 different minutes, by the plan',
    );
    await expectSaid(
      ...(['screens/requests/texts-de.ts', refused] as const),
      'Day: 1 Anfrage, in 1 Minute, lehnte der Tarif ab:',
      'Day: 2 Anfragen, in 2 verschiedenen Minuten, lehnte der Tarif ab:',
    );
  });

  for (const [folder, name, ...said] of [
    ['requests', 'inWords', '1 request over time', '2 requests over time'],
    ['requests', 'moreRows', '1 further row is not shown.', '2 further rows are not shown.'],
    ['ingest', 'inWords', '1 event over time', '2 events over time'],
    ['speed', 'values', '1 value', '2 values'],
    ['platform', 'moreChanges', '1 further change is not shown.', '2 further changes are not shown.'],
  ] as const) {
    it(`say one of one, and more of two: ${folder}, ${name}`, async () => {
      await expectSaid(
        `screens/${folder}/texts-en.ts`,
        (words, count) => words[name]?.(count) ?? '',
        ...said,
      );
    });
  }

  it('say one event of one, and more of two', async () => {
    const events = ({ person }: Words, count: number) => person.events(count);
    await expectSaid('screens/visitors/texts-en.ts', events, '1 event.', '2 events.');
    await expectSaid('screens/visitors/texts-de.ts', events, '1 Ereignis.', '2 Ereignisse.');
    const pageviews = (words: Words, count: number) => words.halfHourInWords?.(count) ?? '';
    await expectSaid(
      ...(['texts/en/now.ts', pageviews] as const),
      '1 pageview in the last 30 minutes, minute by minute',
      '2 pageviews in the last 30 minutes, minute by minute',
    );
  });
});
