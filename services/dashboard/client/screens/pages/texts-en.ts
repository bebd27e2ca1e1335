/** Pages of a website, in English. */

export const en = {
  tabs: { all: 'All pages', entry: 'Entry pages', exit: 'Exit pages', time: 'Time' },
  lists: {
    all: 'Pages that were opened. The bounce rate is of the sessions that begin on the page, the exit rate of its pageviews: how many were the last of their session. Time is the median of what was measured, scroll depth the mean.',
    entry: 'The first page of each session.',
    exit: 'The last page of each session.',
    time: 'Pages by the sessions whose time on them was measured, with the median of these times.',
  },
  totals: {
    median_time_on_page: 'Half of the measured times on a page were longer, half shorter.',
    avg_scroll_depth: 'How far pages were scrolled, as the mean of what was measured.',
  },
  exits: 'Exits',
};
