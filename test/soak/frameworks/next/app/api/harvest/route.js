export const GET = (request) =>
	Response.json({ fruit: new URL(request.url).searchParams.get('fruit'), baskets: 6 * 7 });
