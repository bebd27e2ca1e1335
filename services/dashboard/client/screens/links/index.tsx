/** Short links: the list, a new one, and one with its clicks and settings. */
export { Links } from './link-list.tsx';
export { NewLink } from './new-link.tsx';
export { OneLink } from './one-link.tsx';
