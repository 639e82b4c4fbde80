import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { kubernetesProvider } from '#server/machines/kubernetes/provider.ts';
import { inTime } from '#test/in-time.ts';

const ID = 'sandglass-01234567-89ab-cdef-0123-456789abcdef';
const POD = `/api/v1/namespaces/machines/pods/${ID}`;
const SUSPENDED = 'dev.sandglass.suspended';

interface Ending {
	code: number;
	stderr?: string;
}

const statusOf = ({ code }: Ending) =>
	JSON.stringify(
		code === 0
			? { status: 'Success' }
			: {
					status: 'Failure',
					reason: 'NonZeroExitCode',
					details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
				}
	);

/**
 * A cluster with one running pod. Programs in it end as `endings` say, in order, and fail after these; `done` records
 * their words, and each change of the pod.
 */
async function start(isSuspended: boolean, endings: Ending[]) {
	const done: unknown[] = [];
	const places = new Set<string>();
	const pod = {
		metadata: {
			name: ID,
			uid: 'uid-1',
			creationTimestamp: '2026-01-02T03:04:05Z',
			labels: { 'dev.sandglass.machine': 'server-1' },
			annotations: isSuspended ? { [SUSPENDED]: 'true' } : {}
		},
		status: { phase: 'Running', containerStatuses: [{ ready: true }] }
	};
	const server = http.createServer((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			if (request.method === 'PATCH') done.push(JSON.parse(text));
			response.writeHead(request.url === POD ? 200 : 404).end(JSON.stringify(pod));
		});
	});
	const sockets = new WebSocketServer({ server, handleProtocols: () => 'v5.channel.k8s.io' });
	sockets.on('connection', (socket, { url = '' }) => {
		const { pathname, searchParams } = new URL(url, 'http://cluster');
		places.add(`${pathname} ${searchParams.get('container')}`);
		let words = '';
		socket.on('message', (message: Buffer) => {
			if (message[0] === 0) words += message.subarray(1).toString();
			if (message[0] !== 255) return;
			done.push(words);
			const ending = endings.shift() ?? { code: 1 };
			socket.send(Buffer.from(`\x02${ending.stderr ?? ''}`));
			socket.send(Buffer.from(`\x03${statusOf(ending)}`));
			socket.close(1000);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		for (const client of sockets.clients) client.terminate();
		server.close();
		server.closeAllConnections();
	});
	const provider = kubernetesProvider({
		image: 'debian',
		cpus: 1,
		memoryBytes: 1_000,
		diskBytes: 500,
		lifetimeS: 60,
		owner: 'server-1',
		cluster: {
			server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
			namespace: 'machines',
			tls: {},
			token: () => undefined
		}
	});
	return {
		done,
		places,
		suspend: () => inTime(provider.suspend?.(ID) ?? Promise.reject(new Error('It cannot be suspended.')), 'a rest'),
		attach: () => inTime(provider.attach(ID), 'a connection to the machine')
	};
}

const sending = (signal: string) => expect.stringMatching(new RegExp(`^exec 'sh' '-c' '[^]*' 'sh' '${signal}'$`));
const noting = (value: string | null) => ({ metadata: { annotations: { [SUSPENDED]: value } } });

describe('a pod', () => {
	it('rests: its processes are stopped, and that is noted at it', async () => {
		const { suspend, done, places } = await start(false, [{ code: 0 }]);
		await suspend();
		expect(done).toEqual([sending('STOP'), noting('true')]);
		expect([...places]).toEqual([`${POD}/exec machine`]);
	});

	it('goes on when it is needed again, before anything else is done in it', async () => {
		const { attach, done } = await start(true, [{ code: 0 }]);
		await expect(attach()).rejects.toThrow();
		expect(done.slice(0, 2)).toEqual([sending('CONT'), noting(null)]);
		expect(done.length).toBeGreaterThan(2);
	});

	it('that does not rest is sent nothing to go on', async () => {
		const { attach, done } = await start(false, []);
		await expect(attach()).rejects.toThrow();
		expect(done).not.toContainEqual(sending('CONT'));
		expect(done).not.toContainEqual(noting(null));
	});

	it.each<[reason: string, ending: Ending]>([
		['Process 1 is no machine.', { code: 1, stderr: 'Process 1 is no machine.\n' }],
		['code 7', { code: 7 }]
	])('that could not be stopped is not said to rest, for the reason %s', async (reason, ending) => {
		const { suspend, done } = await start(false, [ending]);
		await expect(suspend()).rejects.toThrow(new Error(`The machine could not be sent STOP: ${reason}`));
		expect(done).toEqual([sending('STOP')]);
	});
});
