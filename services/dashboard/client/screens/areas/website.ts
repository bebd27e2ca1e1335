/** The screens of all else, such as what websites are set to: one script. */
// biome-ignore-all assist/source/organizeImports: in this order they compress best
export { Sharing } from '../sharing/index.tsx';
export { Links, NewLink, OneLink } from '../links/index.tsx';
export { Ingest } from '../ingest/index.tsx';
export { NewWebsite } from '../new-website/index.tsx';
export { LimitsLeft } from '../limits/index.tsx';
export { WebsiteSettings } from '../website-settings/index.tsx';
export { Sql } from '../sql/index.tsx';
export { Requests } from '../requests/index.tsx';
export { Flags } from '../flags/index.tsx';
