/** The files of a new plugin as text: a policy that works, with the places to change it. */

/** Longest line that the formatter leaves as it is. */
const LINE = 110;

/** What differs between the source of Tidegate and a package of its own. */
export interface TestSurroundings {
  readonly runner: 'mocha' | 'node';
  /** Specifiers of imports. */
  readonly testing: string;
  readonly policy: string;
}

/** `require-team` → `requireTeamPolicy`. */
function constantOf(name: string): string {
  return `${name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Policy`;
}

export function manifestText(name: string, kit: string): string {
  const head = `export const { version, schema, policies, init } = definePlugin('${name}', [`;
  const line = `${head}${constantOf(name)}]);`;
  return `/** The ${name} plugin: the gateway loads this file. */
import { definePlugin } from '${kit}';
import { ${constantOf(name)} } from './${name}-policy.ts';

${line.length <= LINE ? line : `${head}\n  ${constantOf(name)},\n]);`}
`;
}

export function policyText(name: string, kit: string): string {
  return `/** Refuses a request without the header that the parameters name. */
import { definePolicy, validationError, z } from '${kit}';

export const ${constantOf(name)} = definePolicy({
  name: '${name}',
  // What \`action\` of the YAML may say; \`tidegate check\` judges it by this.
  schema: z.strictObject({
    header: z
      .string()
      .regex(/^[a-z0-9-]+$/)
      .describe('Header that a request must carry, in lower case.'),
  }),
  // Called once per set of parameters; the second argument has clock, counters, metrics, plans and logger.
  create({ header }) {
    return function judge(req, _res, next) {
      if (req.headers[header] !== undefined) next();
      else next(validationError([{ field: header, message: 'This header is required.' }]));
    };
  },
});
`;
}

export function testText(name: string, { runner, testing, policy }: TestSurroundings): string {
  const isMocha = runner === 'mocha';
  const head = isMocha
    ? `import { expect } from 'chai';`
    : `import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';`;
  const equal = (actual: string, expected: string): string =>
    isMocha ? `expect(${actual}).to.equal(${expected});` : `assert.equal(${actual}, ${expected});`;
  const imports = [
    `import { createTestGateway } from '${testing}';`,
    `import { ${constantOf(name)} } from '${policy}';`,
  ];
  // Sorted by path, as the formatter wants it.
  if (isMocha && policy < testing) imports.reverse();
  return `/** What the ${name} policy refuses, and what it hands on. */
${head}
${imports.join('\n')}

describe('the ${name} policy', () => {
  const gateway = createTestGateway();
  const params = { header: 'x-team' };

  it('refuses a request without the header, and names it', async () => {
    const answer = await gateway.run(${constantOf(name)}, params);
    ${equal('answer.code', "'VALIDATION_ERROR'")}
    ${equal("answer.text.includes('x-team')", 'true')}
  });

  it('hands on a request that carries it', async () => {
    const request = { headers: { 'x-team': 'a' } };
    const answer = await gateway.run(${constantOf(name)}, params, request);
    ${equal('answer.passed', 'true')}
  });
});
`;
}

export function readmeText(name: string): string {
  return `# ${name}

Refuses a request without the header that its parameters name: 400 \`VALIDATION_ERROR\`. Put it behind \`auth\`; a refusal before
\`rate-limit\` is counted like any other.

| parameter | meaning |
|---|---|
| \`header\` | header that a request must carry, in lower case |

    - ${name}:
        - action: { header: x-team }
`;
}

/** A package by itself. Tidegate is found in the folders above, as it is where the gateway runs. */
export function packageText(name: string, versions: Readonly<Record<string, string>>): string {
  const written = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: { build: 'tsc', test: `tsc && node --test dist/${name}-policy.test.js` },
    peerDependencies: { tidegate: '*' },
    peerDependenciesMeta: { tidegate: { optional: true } },
    devDependencies: { '@types/node': versions['@types/node'], typescript: versions.typescript },
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

export function tsconfigText(): string {
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    rewriteRelativeImportExtensions: true,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
    strict: true,
    skipLibCheck: true,
  };
  return `${JSON.stringify({ compilerOptions, include: ['*.ts'] }, null, 2)}\n`;
}
