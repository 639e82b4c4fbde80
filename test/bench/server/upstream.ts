// Runs the fake provider in a process of its own. `/<n>/<ms>/…` streams n chunks, one every ms; `/json/…` answers at
// once; `/endless/…` writes as fast as it is read. Each chunk carries the time it was written.
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { nowUs, type UpstreamCounts } from './messages.ts';

const ANSWER = JSON.stringify({ id: 'r', object: 'response', output: [{ type: 'message', text: 'x'.repeat(400) }] });
const FILLING = 'x'.repeat(80);
const BLOCK = Buffer.alloc(64 * 1024, 'x');

const closedUs: Record<string, number> = {};
let endlessBytes = 0;

function stream(response: ServerResponse, chunks: number, everyMs: number): void {
	let left = chunks;
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const send = (): void => {
		response.write(`data: {"at":${nowUs()},"delta":"${FILLING}"}\n\n`);
		left -= 1;
		if (left > 0) return;
		clearInterval(timer);
		response.end();
	};
	const timer = setInterval(send, everyMs);
	response.once('close', () => clearInterval(timer));
}

function endless(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	const more = (): void => {
		let room = true;
		while (room && !response.destroyed) {
			room = response.write(BLOCK);
			endlessBytes += BLOCK.byteLength;
		}
	};
	response.on('drain', more);
	more();
}

const server = createServer((request, response) => {
	text(request).then(
		(body) => {
			const [, kind = '', ms = ''] = (request.url ?? '').split('/');
			const [, name = ''] = /"user":"(\w+)"/.exec(body) ?? [];
			response.once('close', () => (closedUs[name] = nowUs()));
			if (kind === 'json') response.setHeader('content-type', 'application/json').end(ANSWER);
			else if (kind === 'endless') endless(response);
			else stream(response, Number(kind), Number(ms));
		},
		() => response.destroy()
	);
});
server.listen(0, '127.0.0.1', 1024, () => {
	const address = server.address();
	if (address && typeof address !== 'string') process.send?.(address.port);
});
process.on('message', () => {
	const counts: UpstreamCounts = { closedUs, endlessBytes };
	process.send?.(counts);
});
process.on('disconnect', () => process.exit());
