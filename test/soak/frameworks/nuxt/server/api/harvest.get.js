export default defineEventHandler((event) => ({ fruit: getQuery(event).fruit, baskets: 6 * 7 }));
