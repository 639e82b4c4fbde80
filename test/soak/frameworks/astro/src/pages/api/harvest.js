export const GET = ({ url }) => Response.json({ fruit: url.searchParams.get('fruit'), baskets: 6 * 7 });
