/** API keys: the list, a new one, and one of them, loaded together. */
export { Keys } from './key-list.tsx';
export { NewKey } from './new-key.tsx';
export { OneKey } from './one-key.tsx';
