/** The reference page: a document that names its assets, and the script that starts the viewer. */

/** Where the page is; its assets lie below. */
export const REFERENCE_PATH = '/docs';

/**
 * What the page may load and do: its own files and the API it stands beside, nothing else. Pictures of the viewer's style
 * sheet are data; the viewer writes no style elements.
 */
export const PAGE_HEADERS: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];

/** Paths of what the page loads. */
export interface PageAssets {
  readonly script: string;
  readonly start: string;
  readonly style: string;
  readonly icon: string;
}

export function referencePage({ script, start, style, icon }: PageAssets): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tidegate API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" type="image/png" href="${icon}">
<link rel="stylesheet" href="${style}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; <a href="/openapi.json">/openapi.json</a> holds the same for machines.</noscript>
<script src="${script}"></script>
<script src="${start}"></script>
</body>
</html>
`;
}

/** Starts the viewer. `validatorUrl` none keeps it from asking its makers' validator about the document. */
export const START_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  validatorUrl: 'none',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
});
`;
