/** The screens of who works here, and what they may: one script. */
// biome-ignore-all assist/source/organizeImports: in this order they compress best
export { Platform } from '../platform/index.tsx';
export { Organization } from '../organization/index.tsx';
export { Styles } from '../styles/index.tsx';
export { Keys, NewKey, OneKey } from '../keys/index.tsx';
export { Account } from '../account/index.tsx';
export { Audit } from '../audit/index.tsx';
export { Members } from '../members/index.tsx';
export { Reset } from '../reset/index.tsx';
export { Accept } from '../accept/index.tsx';
