import { expect, it } from 'vitest';
import { playRequests } from './play.ts';

it('answers whatever it is sent: with what was asked, or with a sentence that says why not', async () => {
	const statuses = await playRequests(300, 7);
	expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 403, 404, 405, 502]));
});
