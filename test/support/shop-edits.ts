/** Edits that give the shipped configuration a backend of its own, for tests of what changes there. */
import type { Edit } from './configuration-pairs.ts';

export const EXPORT = '  export:\n    paths: /v1/export\n    methods: GET\n    scopes: [read:data]\n';
export const SHOP = (more = '') =>
  `  resources:\n    url: \${RESOURCES_URL}\n    audience: resources\n  shop:\n    url: https://shop.example.com${more}\n`;
export const RESOURCES = `  resources:\n    url: \${RESOURCES_URL}\n    audience: resources\n`;
export const shopPipeline = (name: string): Edit => [
  'gateway',
  '\npipelines:\n',
  `\npipelines:\n  shop:\n    apiEndpoints: [shop]\n    policies:\n      - auth:\n      - body:\n      - scopes:\n      - rate-limit:\n      - proxy:\n          - action: { serviceEndpoint: ${name} }\n\n`,
];
export const shopEndpoint: Edit = [
  'gateway',
  EXPORT,
  `${EXPORT}  shop:\n    paths: /shop/*\n    scopes: [read:data]\n`,
];
export const shopAt = (more = ''): Edit[] => [
  shopEndpoint,
  ['gateway', RESOURCES, SHOP(more)],
  shopPipeline('shop'),
];
