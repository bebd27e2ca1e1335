/** What the reader of agents remembers is bounded in bytes too: long headers are not kept for their beginning. */
import { expect } from 'chai';
import { createReadAgent } from '../../../../services/tracking/client/read-agent.ts';
import { memoryInUse } from '../../../support/memory-in-use.ts';

const MB = 1024 * 1024;
const AGENTS = 3_000;
const HEADER_BYTES = 14 * 1024;

describe('The memory of agents', () => {
  const heap = () => memoryInUse().heapUsed;
  /** A header in one piece, as they come from the wire. */
  const header = (start: string) => Buffer.alloc(HEADER_BYTES, 'x').fill(start, 0, start.length).toString();

  it('holds 3,000 of them with headers of 14 KB in a fraction of those', () => {
    const readAgent = createReadAgent();
    const before = heap();
    for (let i = 0; i < AGENTS; i++) {
      readAgent({ 'user-agent': header(`Mozilla/5.0 (Windows NT 10.0) Chrome/124.0.${1_000_000 + i}.12 `) });
    }
    const kept = heap() - before;
    expect(readAgent({ 'user-agent': 'curl/8.4.0' }).isCrawler).to.equal(false);
    expect(kept / MB).to.be.below((AGENTS * HEADER_BYTES) / MB / 4);
  });

  it('holds hints of 14 KB so too', () => {
    const readAgent = createReadAgent();
    const before = heap();
    for (let i = 0; i < AGENTS; i++) {
      readAgent({
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/124.0.0.0 Safari/537.36',
        'sec-ch-ua': '"Google Chrome";v="124"',
        'sec-ch-ua-full-version-list': header(`"Google Chrome";v="124.0.${1_000_000 + i}.123456" `),
      });
    }
    const kept = heap() - before;
    expect(readAgent({ 'user-agent': 'curl/8.4.0' }).isCrawler).to.equal(false);
    expect(kept / MB).to.be.below((AGENTS * HEADER_BYTES) / MB / 4);
  });
});
