import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen as listenAtAnyTime } from '#server/listen.ts';
import { inTime } from '#test/in-time.ts';

const listen = (...call: Parameters<typeof listenAtAnyTime>) => inTime(listenAtAnyTime(...call), 'an open port');

function server(): http.Server {
	const created = http.createServer();
	onTestFinished(() => void created.close());
	return created;
}

/** A server that fails to listen with a system error. */
function failing(code: string): http.Server {
	const created = server();
	created.listen = () => {
		created.emit('error', Object.assign(new Error('the cause'), { code }));
		return created;
	};
	return created;
}

describe('listening', () => {
	it('is on a port that the system chooses, or on the one that is named', async () => {
		const first = server();
		const port = await listen(first, 0, '127.0.0.1');
		expect(port).toBe((first.address() as AddressInfo).port);
		await new Promise((resolve) => first.close(resolve));
		expect(await listen(server(), port, '127.0.0.1')).toBe(port);
	});

	it.each([
		['EADDRINUSE', 'Port 80 is in use by another program. Stop that one, or choose another: PORT=81 npm start.'],
		['EACCES', 'Port 80 may not be opened by this user. Set PORT to one above 1023.'],
		[
			'ENOTFOUND',
			'HOST=a.example is not an address of this machine. Use localhost, or 0.0.0.0 for all of its addresses.'
		],
		[
			'EADDRNOTAVAIL',
			'HOST=a.example is not an address of this machine. Use localhost, or 0.0.0.0 for all of its addresses.'
		],
		['EIO', 'The server could not listen on a.example:80: the cause.']
	])('that fails with %s says what to do', async (code, sentence) => {
		await expect(listen(failing(code), 80, 'a.example')).rejects.toThrow(sentence);
	});
});
