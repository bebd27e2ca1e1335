/** Words of the settings of a website that no other screen needs, in English. */

export const en = { sharing: 'Sharing' };
