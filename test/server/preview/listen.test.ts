import http from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import { listen } from '#server/listen.ts';
import { listenForPreviews } from '#server/preview/listen.ts';

const HOST = '127.0.0.1';
/** A free port followed by four free ones, below the ports that a system chooses itself. */
async function freePorts(): Promise<number> {
	for (;;) {
		const port = 20_000 + Math.floor(Math.random() * 10_000);
		const probes = [0, 1, 2, 3, 4].map(() => http.createServer());
		const results = await Promise.allSettled(probes.map((server, index) => listen(server, port + index, HOST)));
		await Promise.all(probes.map((server) => new Promise((resolve) => server.close(resolve))));
		if (results.every(({ status }) => status === 'fulfilled')) return port;
	}
}

/** @param fails tells which server cannot listen at all */
async function open(environment: Record<string, string>, pagePort: number, fails = (_index: number) => false) {
	const created: http.Server[] = [];
	const previews = listenForPreviews(loadConfiguration({ HOST, ...environment }), pagePort, () => {
		const server = http.createServer();
		if (fails(created.length))
			server.listen = () => {
				server.emit('error', Object.assign(new Error('no more ports'), { code: 'EMFILE' }));
				return server;
			};
		created.push(server);
		return server;
	});
	onTestFinished(() => {
		for (const server of created) server.close();
	});
	return { previews, created };
}

describe('the ports of previews', () => {
	it('are the four after the page’s, and are closed with it', async () => {
		const port = await freePorts();
		const { previews, created } = await open({}, port);
		const { ports, close } = await previews;
		expect(ports).toEqual([port + 1, port + 2, port + 3, port + 4]);
		await close();
		expect(created.map(({ listening }) => listening)).toEqual([false, false, false, false]);
	});

	it('are others where those are taken, or do not exist', async () => {
		const port = await freePorts();
		const other = http.createServer();
		onTestFinished(() => void other.close());
		await listen(other, port + 2, HOST);
		const { ports } = await (await open({}, port)).previews;
		expect(ports.toSpliced(1, 1)).toEqual([port + 1, port + 3, port + 4]);
		expect(ports[1]).not.toBe(port + 2);
		expect(new Set(ports).size).toBe(4);
		const last = await (await open({}, 65_534)).previews;
		expect(last.ports).toHaveLength(4);
		for (const each of last.ports) expect(each).toBeLessThan(65_536);
	});

	it('are any where the page’s is any', async () => {
		const { ports } = await (await open({ PORT: '0' }, 1)).previews;
		expect(ports).toHaveLength(4);
		for (const each of ports) expect(each).toBeGreaterThan(1_023);
	});

	it.each<Record<string, string>>([
		{ HOST: '0.0.0.0' },
		{ SANDGLASS_PREVIEW_ORIGIN: 'off' },
		{ SANDGLASS_PREVIEW_ORIGIN: 'http://p.example' }
	])('are none with %j', async (environment) => {
		const { previews, created } = await open(environment, 1);
		expect((await previews).ports).toEqual([]);
		expect(created).toEqual([]);
	});

	it('are all closed again where one cannot be opened', async () => {
		const { previews, created } = await open({ PORT: '0' }, 1, (index) => index === 2);
		await expect(previews).rejects.toThrow('no more ports');
		expect(created.map(({ listening }) => listening)).toEqual([false, false, false]);
	});
});
