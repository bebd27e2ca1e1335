/** How a service tells the gateway that a queue is full of one organization's requests; no client sees it. */

/** Set on a 503 that every further request of the organization would get too, until one that waits or runs is over. */
export const QUEUE_FULL_HEADER = 'x-tidegate-queue-full';

/** Its only value: the organization's own queue. */
export const QUEUE_OF_ORGANIZATION = 'organization';
