import { describe, expect, it } from 'vitest';
import { archiveRoute } from '#server/proxy/archive.ts';
import { archiveStyles } from '#server/proxy/archive-address.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startRoutes } from '../start.ts';
import { standInGuard } from './stand-in-guard.ts';

async function start(answer: Parameters<typeof standInGuard>[0] = {}) {
	const { guard, state } = standInGuard(answer);
	const policy = { allowHosts: [], ownHosts: () => [] };
	const routes = await startRoutes((app) => archiveRoute(app, guard, policy, archiveStyles([])));
	const get = (repository: string, ref?: string) =>
		ask(`${routes.url}/api/archive?url=${encodeURIComponent(repository)}${ref === undefined ? '' : `&ref=${ref}`}`, {
			headers: { authorization: 'Bearer mine', cookie: 'ours=1' }
		});
	return { ...routes, state, get };
}

describe('the archive of a repository', () => {
	it('is asked of its host with the user’s authorization and nothing else', async () => {
		const { get, state, logged } = await start();
		const answer = await get('https://codeberg.org/a/b.git', 'v1');
		expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([200, 'answered', 'application/gzip']);
		expect(state.asked).toEqual([
			expect.objectContaining({
				method: 'GET',
				headers: { authorization: 'Bearer mine', 'user-agent': 'sandglass' },
				sent: undefined,
				alsoAllowed: undefined
			})
		]);
		expect(state.asked[0]?.url.href).toBe('https://codeberg.org/a/b/archive/v1.tar.gz');
		await expect.poll(() => logged).toMatchObject([{ to: 'codeberg.org' }]);
	});

	it('has 512 MB at most, and ten minutes', async () => {
		const { get, state } = await start();
		await get('https://github.com/a/b', 'main');
		expect(state.asked[0]?.limits).toEqual({
			headersMs: 60_000,
			idleMs: 30_000,
			totalMs: 600_000,
			maxBytes: 536_870_912
		});
	});

	it('is that of the default branch where none is named', async () => {
		const { get, state } = await start();
		await get('https://github.com/a/b');
		expect(state.asked[0]?.url.href).toBe('https://codeload.github.com/a/b/tar.gz/HEAD');
	});

	it.each([
		[404, 404],
		[401, 404],
		[201, 404],
		[499, 404],
		[500, 502],
		[503, 502]
	])('that a host refuses with %i is refused with %i, in a sentence', async (status, expected) => {
		const { get, state } = await start({ status });
		const answer = await get('https://codeberg.org/a/b', 'v1');
		expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([expected, 'archive_failed']);
		expect(JSON.parse(answer.text).error.message).toBe(
			`codeberg.org answered ${status} when asked for the archive. Check the repository and the ref.`
		);
		expect(state.body.destroyed).toBe(true);
	});

	it('is not asked of a host that offers none, or lies in a private network', async () => {
		const { get, state } = await start();
		const unknown = await get('https://git.example/a/b', 'main');
		expect([unknown.status, unknown.headers['x-sandglass-error']]).toEqual([404, 'no_archive']);
		expect(JSON.parse(unknown.text).error.message).toBe(
			'git.example offers no known archive format. Clone it with git instead.'
		);
		expect((await get('https://git.local/a/b', 'main')).headers['x-sandglass-error']).toBe('address_refused');
		expect(state.asked).toEqual([]);
	});

	it('is not fetched from where its host redirects to', async () => {
		const { get } = await start({ status: 302, headers: { location: 'https://elsewhere.example/' } });
		expect((await get('https://codeberg.org/a/b', 'main')).headers['x-sandglass-error']).toBe('redirected');
	});
});
