import { describe, expect, it } from 'vitest';
import { PreviewError } from '#environment/preview.ts';
import { DriverConnection } from '#page/preview/driver/connection.ts';
import { Drivers } from '#page/preview/driver/drivers.ts';

type Sent = { type?: string; id?: number; method?: string };

/** A connection to a page that calls `answer` with each message; it receives the driver's code as a page does. */
function connect(answer: (message: Sent, port: MessagePort) => void): {
	connection: DriverConnection;
	port: MessagePort;
} {
	const { port1, port2 } = new MessageChannel();
	port2.onmessage = ({ data }: MessageEvent<Sent>) => {
		if (data.type === 'load') port2.postMessage({ loaded: true });
		else answer(data, port2);
	};
	return { connection: new DriverConnection(port1, async () => ''), port: port2 };
}

const snapshot = { method: 'snapshot', selector: null } as const;
const soon = { withinMs: 5_000 };

describe('a connection to the driver of a page', () => {
	it('gives the answer to each request, whatever the order', async () => {
		const held: number[] = [];
		const { connection } = connect(({ id = 0 }, port) => {
			held.push(id);
			if (held.length < 2) return;
			for (const each of held.reverse())
				port.postMessage({ id: each, ok: true, json: JSON.stringify({ tree: `tree ${each}` }) });
		});
		const both = await Promise.all([connection.request(snapshot, soon), connection.request(snapshot, soon)]);
		expect(both.map(({ tree }) => tree)).toEqual(['tree 1', 'tree 2']);
	});

	it('is closed when the page floods it with what no one asked for', async () => {
		const { connection } = connect((_, port) => {
			for (let count = 0; count < 1_000; count++) port.postMessage({ id: 1_000 + count, ok: true, json: '{}' });
		});
		await expect(connection.request(snapshot, soon)).rejects.toThrow('flooded');
		await expect(connection.request(snapshot, soon)).rejects.toThrow('flooded');
	});

	it.each<[what: string, message: object]>([
		['no JSON', { ok: true, json: '{' }],
		['another shape', { ok: true, json: '{"tree":{"toString":"x"}}' }],
		['an error without words', { ok: false, json: '[]' }]
	])('takes an answer of %s for none', async (_, message) => {
		const { connection } = connect(({ id }, port) => port.postMessage({ id, ...message }));
		await expect(connection.request(snapshot, soon)).rejects.toBeInstanceOf(PreviewError);
	});

	it('cuts what is longer than any page says', async () => {
		const { connection } = connect(({ id }, port) =>
			port.postMessage({
				id,
				ok: true,
				json: JSON.stringify({ title: 'x'.repeat(1_000_000), address: '/', isLoaded: true, width: 1, height: 1 })
			})
		);
		const { title } = await connection.request({ method: 'settle', quietMs: 0, withinMs: 0 }, soon);
		expect(title.length).toBe(300);
	});

	it('waits for no answer longer than was asked, and drops a late one', async () => {
		let late: (() => void) | undefined;
		const { connection } = connect(({ id }, port) => {
			late ??= () => port.postMessage({ id, ok: true, json: '{"tree":"late"}' });
			if (id === 2) {
				late();
				port.postMessage({ id, ok: true, json: '{"tree":"second"}' });
			}
		});
		await expect(connection.request(snapshot, { withinMs: 20 })).rejects.toThrow('did not answer');
		expect((await connection.request(snapshot, soon)).tree).toBe('second');
	});

	it('ends with the reason of the caller who stops', async () => {
		const { connection } = connect(() => {});
		const stop = new AbortController();
		const asked = connection.request(snapshot, { withinMs: 60_000, signal: stop.signal });
		stop.abort(new Error('stopped by the user'));
		await expect(asked).rejects.toThrow('stopped by the user');
	});
});

describe('the drivers of a preview', () => {
	const keyOf = (script: string): string => /"([\da-f-]{36})"/.exec(script)?.[1] ?? '';

	it('are known by a key that is good for one port', async () => {
		const drivers = new Drivers(async () => '');
		const key = keyOf(drivers.script(false));
		const { port1: guessed } = new MessageChannel();
		drivers.offer('guess', guessed);
		expect(drivers.current).toBeNull();
		const { port1: own } = new MessageChannel();
		drivers.offer(key, own);
		const first = drivers.current;
		expect(first).not.toBeNull();
		const { port1: again } = new MessageChannel();
		drivers.offer(key, again);
		expect(drivers.current).toBe(first);
	});

	it('fail what is asked of a document that another one follows', async () => {
		const drivers = new Drivers(async () => '');
		const { port1, port2 } = new MessageChannel();
		port2.onmessage = ({ data }: MessageEvent<Sent>) => data.type === 'load' && port2.postMessage({ loaded: true });
		drivers.offer(keyOf(drivers.script(false)), port1);
		const asked = drivers.current!.request(snapshot, soon);
		const { port1: next } = new MessageChannel();
		drivers.offer(keyOf(drivers.script(false)), next);
		await expect(asked).rejects.toThrow('went to another address');
	});
});
