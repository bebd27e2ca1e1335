/** Goals and funnels as the API would never answer them: any text as everything that people type. */

/** What matches an event, in every part of it. */
const strangeMatch = (text: string) => ({
  ...{ type: 'event', match: { op: 'in', value: [text, 'x'] } },
  conditions: [{ field: `properties.${text}`, op: 'eq', value: text }],
});

const about = (text: string, id: string) => ({
  ...{ id, organizationId: 'org_main', websiteId: 'web_shop', name: text, createdBy: text },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
});

export const strangeGoal = (text: string, index: number) => ({
  ...about(text, `gol_${index}`),
  ...strangeMatch(text),
  ...{ revenueProperty: text, currency: text, position: index },
});

export const strangeFunnel = (text: string, index: number) => ({
  ...about(text, `fnl_${index}`),
  steps: [strangeMatch(text), { name: text, ...strangeMatch(text) }],
  ...{ ordered: true, windowSeconds: 60, exclude: strangeMatch(text) },
});
