/** Annotations, in English. */

export const en = {
  title: 'Annotations',
  none: 'Nothing is noted yet.',
  noneHint: 'Note what happened, and it is marked on the line.',
  day: 'Day',
  text: 'What happened',
  shared: 'For everybody in the organization',
  sharedMark: 'shared',
  add: 'Add',
  remove: (text: string) => `Delete: ${text}`,
  removeTitle: 'Delete this annotation?',
  removeHint: 'It is no longer marked on the line.',
  most: 'Older ones are not shown.',
};
