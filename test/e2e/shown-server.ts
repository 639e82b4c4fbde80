/** A server of a project, with each kind of response that a preview has to handle; its document shows the results. */
export const SHOWN_SERVER = `const http = require('http');
const { WebSocketServer } = require('ws');
const server = http.createServer((request, response) => {
	if (request.url === '/') {
		response.setHeader('Set-Cookie', 'seen=1; HttpOnly');
		response.setHeader('Content-Type', 'text/html');
		return response.end('<!doctype html><head><title>S</title></head><h1>From the server</h1><p id="o"></p><p id="s"></p><p id="r"></p><script src="/app.js"></script>');
	}
	if (request.url === '/app.js') {
		response.setHeader('Content-Type', 'text/javascript');
		return response.end(\`console.log('server script');
(async () => {
	const echoed = await (await fetch('/echo', { method: 'POST', body: 'a body' })).text();
	const moved = await (await fetch('/moved')).text();
	const reader = (await fetch('/stream')).body.getReader();
	const first = new TextDecoder().decode((await reader.read()).value);
	document.getElementById('o').textContent = [echoed, moved, first].join(' | ');
	await fetch('/next');
	const rest = new TextDecoder().decode((await reader.read()).value);
	document.getElementById('o').textContent += ' | ' + rest;
	const socket = new WebSocket('ws://' + location.host + '/socket');
	socket.binaryType = 'arraybuffer';
	socket.onopen = () => socket.send('hello');
	socket.onmessage = ({ data }) => {
		document.getElementById('s').textContent += typeof data === 'string' ? data : ' | ' + new Uint8Array(data).join();
		if (typeof data === 'string') socket.send(new Uint8Array([1, 2]));
		else socket.close(4000, 'over');
	};
	socket.onclose = ({ code, reason, wasClean }) => (document.getElementById('s').textContent += [' |', code, reason, wasClean].join(' '));
	new WebSocket('ws://localhost:3000/nowhere').onclose = ({ code }) => (document.getElementById('r').textContent = 'refused ' + code);
})();\`);
	}
	if (request.url === '/moved') return response.writeHead(302, { Location: 'http://localhost:3000/end' }).end();
	if (request.url === '/end') return response.end('at the end with ' + request.headers.cookie);
	if (request.url === '/stream') { globalThis.open = response; return response.write('one'); }
	if (request.url === '/next') { globalThis.open.end('two'); return response.end(); }
	let body = '';
	request.on('data', (chunk) => (body += chunk));
	request.on('end', () => response.end(request.method + ' ' + body));
}).listen(3000);
new WebSocketServer({ server, path: '/socket' }).on('connection', (socket, request) => {
	socket.on('message', (data, isBinary) => socket.send(isBinary ? data : [data, request.headers.cookie, request.headers.origin].join(' ')));
});
`;
