/** The JSON Schemas of the files: equal to the code, and judging as the check does where a schema can. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { parse, parseDocument } from 'yaml';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import {
  type DescribedFile,
  fileSchema,
  SCHEMA_FILES,
  shippedPolicies,
} from '../../../gateway/configuration/file-schemas.ts';

const CONFIG = join(PACKAGE_ROOT, 'config');
const GOOD = join(PACKAGE_ROOT, 'test/gateway/configuration/good');
const FILES = Object.keys(SCHEMA_FILES) as DescribedFile[];
const YAML = FILES.filter((file) => file !== 'provisioning.yml');

const stored = (file: DescribedFile): object =>
  JSON.parse(readFileSync(join(CONFIG, 'schemas', SCHEMA_FILES[file]), 'utf8'));

describe('the JSON Schemas of the files', () => {
  const validators = new Map(
    FILES.map(
      (file) => [file, new Ajv({ strict: false, validateFormats: false }).compile(stored(file))] as const,
    ),
  );
  const refusals = (file: DescribedFile, value: unknown): unknown => {
    const validate = validators.get(file);
    return validate?.(value) ? null : validate?.errors;
  };
  const gateway = (text: string) => refusals('gateway.config.yml', parse(text));

  it('are those of the code: npx tidegate schema --out config/schemas writes them', async () => {
    const policies = await shippedPolicies();
    for (const file of FILES) {
      expect(stored(file), file).to.deep.equal(JSON.parse(JSON.stringify(fileSchema(file, policies))));
    }
    expect(readdirSync(join(CONFIG, 'schemas')).sort()).to.deep.equal(Object.values(SCHEMA_FILES).sort());
  });

  it('describe the parameters of every policy that comes with Tidegate', async () => {
    const names = (await shippedPolicies()).map(({ name }) => name);
    expect(names).to.include.members(['auth', 'body', 'proxy', 'rate-limit', 'headers', 'rewrite']);
    const { definitions } = stored('gateway.config.yml') as { definitions: object };
    expect(Object.keys(definitions)).to.include.members(names);
  });

  for (const file of YAML) {
    it(`accept ${file}, as it is shipped and with only what is needed, and stand in its first line`, () => {
      for (const folder of [CONFIG, GOOD]) {
        expect(refusals(file, parse(readFileSync(join(folder, file), 'utf8'))), folder).to.equal(null);
      }
      const [first] = readFileSync(join(CONFIG, file), 'utf8').split('\n');
      expect(first).to.equal(`# yaml-language-server: $schema=schemas/${SCHEMA_FILES[file]}`);
    });
  }

  it('accept every example of a whole file in the guides', () => {
    const guides = [
      ...readdirSync(join(PACKAGE_ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
        (name) => `docs/${name}`,
      ),
      ...readdirSync(join(PACKAGE_ROOT, 'plugins')).map((name) => `plugins/${name}/README.md`),
    ].filter((name) => name.endsWith('.md'));
    const examples = guides.flatMap((guide) =>
      blocksOf(readFileSync(join(PACKAGE_ROOT, guide), 'utf8'))
        .filter((block) => /^(?:include|apiEndpoints|serviceEndpoints|pipelines):/m.test(block))
        // Others show parts of several places.
        .filter((block) => parseDocument(block).errors.length === 0)
        .map((block) => [guide, block] as const),
    );
    expect(examples.map(([guide]) => guide)).to.include('docs/configuration.md');
    for (const [guide, block] of examples) expect(gateway(block), `${guide}\n${block}`).to.equal(null);
  });

  it('let variables stand for whatever has a form', () => {
    const text = `pipelines: { a: { apiEndpoints: [a], policies: [{ body: { action: { maxBytes: "\${BYTES:-1}" } } }] } }`;
    expect(gateway(text)).to.equal(null);
    expect(refusals('plans.yml', { limits: { public: { limit: `\${LIMIT}`, windowSeconds: 60 } } })).to.equal(
      null,
    );
  });

  const wrong: Record<string, string> = {
    'a misspelt section': 'apiEndpoint: {}',
    'a misspelt key of an endpoint': 'apiEndpoints: { a: { path: /a } }',
    'another access': 'apiEndpoints: { a: { paths: /a, access: pubic } }',
    'a path that does not begin with a slash': 'apiEndpoints: { a: { paths: a } }',
    'another method': 'apiEndpoints: { a: { paths: /a, methods: POTS } }',
    'a misspelt key of a service': 'serviceEndpoints: { a: { uri: http://a } }',
    'a number out of range': 'serviceEndpoints: { a: { url: http://a, retries: 9 } }',
    'a parameter that a policy does not have':
      'pipelines: { a: { apiEndpoints: [a], policies: [{ body: { action: { maxByte: 1 } } }] } }',
    'a parameter of another type':
      'pipelines: { a: { apiEndpoints: [a], policies: [{ body: [{ action: { maxBytes: many } }] }] } }',
    'two policies in one step': 'pipelines: { a: { apiEndpoints: [a], policies: [{ auth: , body: }] } }',
  };
  for (const [name, text] of Object.entries(wrong)) {
    it(`refuse ${name}`, () => expect(gateway(text)).to.not.equal(null));
  }
});

/** The indented and fenced blocks of a guide, without their indentation. */
function blocksOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```ya?ml\n(.*?)^```/gms)].map(([, block = '']) => block);
  const indented = [...text.matchAll(/(?:^ {4}.*\n|^\n(?= {4}))+/gm)].map(([block]) =>
    block.replaceAll(/^ {4}/gm, ''),
  );
  return [...fenced, ...indented];
}
