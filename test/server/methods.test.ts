import { expect, it } from 'vitest';
import { route } from '#server/methods.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startRoutes } from './start.ts';

it('answers the methods of an address, and names them where another one is asked for', async () => {
	const { url } = await startRoutes((app) =>
		route(app, '/api/thing', { GET: (c) => c.text('read'), PUT: async (c) => c.text('written', 201) })
	);
	expect(await ask(`${url}/api/thing`)).toMatchObject({ status: 200, text: 'read' });
	expect(await ask(`${url}/api/thing`, { method: 'PUT' })).toMatchObject({ status: 201, text: 'written' });
	const { status, headers, text } = await ask(`${url}/api/thing`, { method: 'DELETE' });
	expect([status, headers.allow, JSON.parse(text).error]).toEqual([
		405,
		'GET, PUT',
		{
			type: 'method_not_allowed',
			message: 'DELETE is not allowed here; this address accepts GET, PUT.'
		}
	]);
});
