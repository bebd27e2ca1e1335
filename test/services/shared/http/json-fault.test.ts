/** Where a body stops being JSON: found wherever the parser refuses, told by line and column, with next to nothing of the body. */
import { expect } from 'chai';
import fc from 'fast-check';
import { badJson, findJsonFault, lineAndColumn } from '../../../../services/shared/http/json-fault.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the fault of a JSON body', () => {
  for (const [text, message] of [
    ['{"a": 1,\n "b" 2}', 'line 2, column 6: came "2"; allowed: ":".'],
    ['{"a": 1,}', 'line 1, column 9: came "}"; allowed: a name in double quotes.'],
    ['{a: 1}', 'line 1, column 2: came "a"; allowed: a name in double quotes or "}".'],
    ['[1, 2', 'line 1, column 6: came the end; allowed: "," or "]".'],
    ['[1,]', 'line 1, column 4: came "]"; allowed: a value.'],
    ['{"a": tru}', 'line 1, column 7: came "t"; allowed: a value.'],
    ['{} x', 'line 1, column 4: came "x"; allowed: the end.'],
    ["{'a': 1}", 'line 1, column 2: came "\'"; allowed: a name in double quotes or "}".'],
    ['{"a": "b\nc"}', 'line 1, column 9: came a control character; allowed: an escape such as \\n for it.'],
    ['"a\\x"', 'line 1, column 4: came "x"; allowed: an escape that JSON has, such as \\n.'],
    ['"\\u12G4"', 'line 1, column 6: came "G"; allowed: four hexadecimal digits.'],
    ['"abc', 'line 1, column 5: came the end; allowed: the quote that ends the text.'],
    ['{"a": -}', 'line 1, column 8: came "}"; allowed: a digit.'],
    ['["😀", ü]', 'line 1, column 7: came another character than ASCII; allowed: a value.'],
    ['', 'line 1, column 1: came the end; allowed: a value.'],
  ] as const) {
    it(`of ${JSON.stringify(text)} is told`, () => {
      const { details } = badJson(text);
      expect(details).to.deep.equal([{ field: 'body', message: `The body is not valid JSON: ${message}` }]);
    });
  }

  it('is found just where the parser refuses, whatever came', () => {
    const written = fc.json({ maxDepth: 4 });
    const broken = fc
      .tuple(written, fc.nat(), fc.nat(3), fc.string({ maxLength: 3 }))
      .map(([json, at, cut, put]) => {
        const from = at % (json.length + 1);
        return json.slice(0, from) + put + json.slice(from + cut);
      });
    fc.assert(
      fc.property(fc.oneof(written, broken, fc.string()), (text) => {
        const fault = findJsonFault(text);
        expect(fault === null, JSON.stringify(text)).to.equal(isJson(text));
        if (fault === null) return;
        expect(fault.at).to.be.within(0, text.length);
        // What stands before could still become JSON; with the fault it cannot, whatever follows.
        expect(findJsonFault(text.slice(0, fault.at + 1))?.at).to.be.at.most(fault.at);
      }),
      { numRuns: 2_000 },
    );
  });

  it('repeats one character of the body at most', () => {
    const { message, details } = badJson('{"password": "hunter2" hunter3}');
    expect(JSON.stringify([message, details])).to.not.match(/hunter|password/);
  });

  it('is looked for in the first quarter of a million characters alone', () => {
    const told = (text: string) => badJson(text).details[0]?.message;
    const beyond = 'The body is not valid JSON after its first 262,144 characters.';
    for (const cut of [-3, -1, 0, 1]) {
      const head = `["${'a'.repeat(262_144 - 4 + cut)}",`;
      expect(told(`${head}true,]`)).to.equal(beyond);
    }
    expect(told(`[${' '.repeat(600_000)}`)).to.equal(beyond);
    expect(told(`[x${' '.repeat(600_000)}`)).to.include('line 1, column 2: came "x"');
  });

  it('is found in two megabytes of any shape without depth', () => {
    const size = 2_000_000;
    for (const text of [
      '['.repeat(size),
      `"${'\\n'.repeat(size / 2)}`,
      `[${'0,'.repeat(size / 2)}]`,
      '\n'.repeat(size),
    ]) {
      const fault = findJsonFault(text);
      expect(fault?.at).to.be.at.least(size);
      expect(lineAndColumn(text, fault?.at ?? 0).line).to.be.at.least(1);
    }
  });
});
