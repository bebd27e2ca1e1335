/** Two configurations that mean the same, and secrets that differ. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { diffConfigurations } from '../../../../gateway/configuration/diff/diff-configurations.ts';
import { type Edit, editedConfiguration } from '../../../support/configuration-pairs.ts';
import { EXPORT, shopAt, shopEndpoint, shopPipeline } from '../../../support/shop-edits.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';

const LINKS =
  '  links-read:\n    paths: [/v1/links, "/v1/links/:id"]\n    methods: GET\n    scopes: [read:links]\n';
const AUDIT =
  '  audit:\n    paths: /v1/audit\n    methods: GET\n    access: session\n    roles: [owner, admin]\n';

/** Edits after which nobody notices a difference. */
const SAME: Readonly<Record<string, readonly Edit[]>> = {
  'names of roles in another order': [['gateway', AUDIT, AUDIT.replace('[owner, admin]', '[admin, owner]')]],
  'a single name in place of a list': [['gateway', EXPORT, EXPORT.replace('methods: GET', 'methods: [GET]')]],
  'another name of a parameter': [['gateway', '/v1/links/:id', '/v1/links/:link']],
  'an endpoint of another name': [
    ['gateway', EXPORT, EXPORT.replace('  export:', '  raw-events:')],
    ['gateway', 'apiEndpoints: [export]', 'apiEndpoints: [raw-events]'],
  ],
  'an endpoint in two': [
    [
      'gateway',
      LINKS,
      '  links-list:\n    paths: /v1/links\n    methods: GET\n    scopes: [read:links]\n  links-read:\n    paths: "/v1/links/:id"\n    methods: GET\n    scopes: [read:links]\n',
    ],
    ['gateway', '      - links-read\n', '      - links-list\n      - links-read\n'],
  ],
  'endpoints in another order': [
    ['gateway', EXPORT, ''],
    ['gateway', LINKS, `${LINKS}${EXPORT}`],
  ],
  'defaults that are written out': [
    ['gateway', EXPORT, `${EXPORT}    class: other\n`],
    ['plans', '  custom-sql:\n', '  custom-sql:\n    algorithm: fixed\n    cost: request\n'],
  ],
  'a backend of another name': [
    ['gateway', '  tracking:\n    url', '  events:\n    url'],
    ['gateway', 'serviceEndpoint: tracking', 'serviceEndpoint: events'],
  ],
  'comments and empty lines': [['plans', 'plans:\n', '# Prices of 2026.\n\nplans:\n']],
};

describe('the difference of two configurations', () => {
  for (const [title, edits] of Object.entries(SAME)) {
    it(`finds none in ${title}`, async () => {
      expect(
        diffConfigurations(await editedConfiguration([]), await editedConfiguration(edits)),
      ).to.deep.equal([]);
    });
  }

  it('shows no secret, and that one differs', async () => {
    const folder = createTempDirectory();
    const withKey = async (name: string, text: string) => {
      const file = folder.file(name);
      writeFileSync(file, text, { mode: 0o600 });
      const [endpoint, backend, [, at, pipeline]] = [shopEndpoint, shopAt()[1], shopPipeline('shop')];
      const step = `      - headers:\n          - action: { request: { set: { x-partner-key: "\${file:${file}}" } } }\n`;
      return editedConfiguration([
        endpoint,
        ...(backend ? [backend] : []),
        ['gateway', at, pipeline.replace('      - proxy:', `${step}      - proxy:`)],
        ['gateway', 'pages, redirect, not-found]', 'pages, redirect, not-found, headers]'],
        ['system', '  errors:\n', `  headers:\n    package: \${PLUGIN_DIR}/headers/manifest.js\n  errors:\n`],
      ]);
    };
    const [before, after] = [await withKey('one', 'secret-of-old'), await withKey('two', 'secret-of-new')];
    const found = diffConfigurations(before, after);
    expect(found).to.have.lengthOf(7);
    expect(JSON.stringify(found))
      .to.include('[secret]')
      .and.not.match(/secret-of/);
  });
});
