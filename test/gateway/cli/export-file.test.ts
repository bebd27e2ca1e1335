/** The draft of an export: what it keeps, cuts off and refuses. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  cursorPathOf,
  draftPathOf,
  ExportDraft,
  type ExportState,
  readUnfinished,
} from '../../../gateway/cli/export-file.ts';

const BEGUN: ExportState = {
  ...{ organizationId: 'org_a', websiteId: null, from: '2025-01-01', to: '2025-01-31' },
  ...{ cursor: null, bytes: 0, events: 0 },
};

describe('the file of an export', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-export-'));
    file = join(directory, 'events.ndjson');
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** What a run leaves that ended behind its first batch. */
  function interrupted(): void {
    const draft = new ExportDraft(file, BEGUN);
    draft.append('{"a":"ä"}\n', 1, 'next');
    draft.close();
  }

  it('is the draft under its own name, and nothing else stays', () => {
    interrupted();
    const state = readUnfinished(file);
    expect(state).to.deep.equal({ ...BEGUN, cursor: 'next', bytes: 11, events: 1 });
    const draft = new ExportDraft(file, state ?? BEGUN);
    draft.append('{"b":2}\n', 1, null);
    expect(existsSync(file)).to.equal(false);
    draft.finish();
    draft.close();
    expect(readFileSync(file, 'utf8')).to.equal('{"a":"ä"}\n{"b":2}\n');
    expect(readdirSync(directory)).to.deep.equal(['events.ndjson']);
  });

  it('loses what was written behind the last cursor, the last batch included', () => {
    interrupted();
    const draft = new ExportDraft(file, readUnfinished(file) ?? BEGUN);
    draft.append('{"b":2}\n', 1, null);
    draft.close();
    appendFileSync(draftPathOf(file), '{"half');
    const again = new ExportDraft(file, readUnfinished(file) ?? BEGUN);
    again.append('{"b":2}\n', 1, null);
    again.finish();
    again.close();
    expect(readFileSync(file, 'utf8')).to.equal('{"a":"ä"}\n{"b":2}\n');
  });

  it('is not replaced when another one took its name meanwhile', () => {
    const draft = new ExportDraft(file, BEGUN);
    draft.append('{}\n', 1, null);
    writeFileSync(file, 'mine');
    expect(() => draft.finish()).to.throw('already exists');
    draft.close();
    expect(readFileSync(file, 'utf8')).to.equal('mine');
    expect(existsSync(draftPathOf(file))).to.equal(true);
  });

  it('is not continued from a draft that lacks events, or from one without its cursor', () => {
    interrupted();
    truncateSync(draftPathOf(file), 5);
    expect(() => readUnfinished(file)).to.throw('do not belong together');
    interrupted();
    writeFileSync(cursorPathOf(file), '{"cursor":1}');
    expect(() => readUnfinished(file)).to.throw('do not belong together');
    rmSync(cursorPathOf(file));
    expect(() => readUnfinished(file)).to.throw('do not belong together');
  });

  it('has nothing to continue before the first cursor was kept', () => {
    expect(readUnfinished(file)).to.equal(null);
    writeFileSync(draftPathOf(file), '');
    expect(readUnfinished(file)).to.equal(null);
  });
});
