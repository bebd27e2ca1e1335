/** A list read for a file: all of its pages in their order, a bounded number of calls, and no file of half a list. */
import { expect } from 'chai';
import { OFFLINE, SWITCHED } from '../../../../../services/dashboard/client/api/fault.ts';
import { onShownOrganization } from '../../../../../services/dashboard/client/api/shown-organization.ts';
import {
  MOST_PAGES,
  type Page,
  wholeList,
} from '../../../../../services/dashboard/client/exports/whole-list.ts';

/** Answers the pages one after another, and notes the cursors that were asked for. */
function listOf(pages: readonly (readonly number[])[]) {
  const asked: (string | undefined)[] = [];
  const ask = (cursor: string | undefined) => {
    asked.push(cursor);
    const place = Number(cursor ?? 0);
    const next = place + 1;
    const body: Page<number> = {
      data: pages[place] ?? [],
      ...(next < pages.length ? { nextCursor: String(next) } : {}),
    };
    return Promise.resolve({ ok: true as const, status: 200, body, etag: null });
  };
  return { ask, asked };
}

describe('a list that is read to its end', () => {
  it('holds every page in its order, those without an entry too', async () => {
    const { ask, asked } = listOf([[1, 2], [], [3], [4]]);
    expect(await wholeList(ask)).to.deep.equal({ ok: true, rows: [1, 2, 3, 4], isCut: false });
    expect(asked).to.deep.equal([undefined, '1', '2', '3']);
  });

  it('ends after so many pages, and says that it is cut only when more follow', async () => {
    const long = listOf(Array.from({ length: MOST_PAGES + 1 }, (_, page) => [page]));
    const rows = Array.from({ length: MOST_PAGES }, (_, page) => page);
    expect(await wholeList(long.ask)).to.deep.equal({ ok: true, rows, isCut: true });
    expect(long.asked).to.have.length(MOST_PAGES);
    const full = listOf([[1], [2]]);
    expect(await wholeList(full.ask, 2)).to.deep.equal({ ok: true, rows: [1, 2], isCut: false });
  });

  it('is none when a page fails, whatever came before', async () => {
    const { ask } = listOf([[1], [2], [3]]);
    const failing = (cursor: string | undefined) =>
      cursor === '2' ? Promise.resolve({ ok: false as const, fault: OFFLINE }) : ask(cursor);
    expect(await wholeList(failing)).to.deep.equal({ ok: false, fault: OFFLINE });
  });

  it('is none when another organization is shown before its end, and asks no more', async () => {
    let shown = 'org_one';
    onShownOrganization(() => shown);
    try {
      const { ask, asked } = listOf([[1], [2], [3]]);
      const switching = (cursor: string | undefined) => {
        if (cursor === '1') shown = 'org_two';
        return ask(cursor);
      };
      expect(await wholeList(switching)).to.deep.equal({ ok: false, fault: SWITCHED });
      expect(asked).to.deep.equal([undefined, '1']);
    } finally {
      onShownOrganization(() => undefined);
    }
  });
});
