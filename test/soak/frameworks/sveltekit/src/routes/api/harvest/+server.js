import { json } from '@sveltejs/kit';

export const GET = ({ url }) => json({ fruit: url.searchParams.get('fruit'), baskets: 6 * 7 });
