// The minimal proxy in Node: streams both ways, keeps connections, forwards an abort. `<upstream>`.
import http from 'node:http';
import { pipeline } from 'node:stream';
import { announce } from './subject.ts';

const [upstream = ''] = process.argv.slice(2);
const { hostname, port } = new URL(upstream);
const agent = new http.Agent({ keepAlive: true });

const server = http.createServer((request, response) => {
	const headers = { ...request.headers, authorization: 'Bearer key' };
	const asked = http.request(
		{ hostname, port, path: request.url, method: request.method, headers, agent },
		(answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			pipeline(answer, response, () => undefined);
		}
	);
	response.once('close', () => {
		if (!response.writableFinished) asked.destroy();
	});
	asked.once('error', () => response.destroy());
	request.pipe(asked);
});
server.listen(0, '127.0.0.1', 1024, () => announce(server.address()));
