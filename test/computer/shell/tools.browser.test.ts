import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import nodeUrl from '#computer/node/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

const cwd = '/workspace';
const LIMIT_MS = 30_000;
let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl }
	]);
});
afterAll(() => sandbox.cleanup());
const run = (command: string) => sandbox.exec(command, { cwd, timeoutMs: LIMIT_MS });

it.each(['grep y', "sed 's/y/y/'", "awk '{print $1}'", 'tr y y', 'cut -c1', 'cat -n', 'tail -n +2', 'tee /dev/null'])(
	'ends an endless pipeline through %s',
	async (filter) => {
		const result = await run(`yes | ${filter} | head -1 | wc -l`);
		expect(result).toMatchObject({ stdout: '1\n', exitCode: 0, timedOut: false });
	}
);

it('talks to a server of the sandbox with curl', async () => {
	const server = `require('http').createServer((request, response) => {
		let body = '';
		request.on('data', (piece) => (body += piece));
		request.on('end', () => {
			if (request.url === '/moved') return response.writeHead(302, { location: '/here' }).end();
			response.writeHead(request.url === '/none' ? 404 : 200, { 'content-type': 'text/plain', 'x-seen': String(request.headers['x-ask']) });
			response.end(request.method + ' ' + request.url + ' ' + body);
		});
	}).listen(4321, () => require('fs').writeFileSync('ready', ''));`;
	await sandbox.writeFile(`${cwd}/server.js`, server);
	const { stdout } = await run(
		[
			'node server.js & until [ -e ready ]; do sleep 0.05; done',
			"curl -s localhost:4321/a -w '|%{http_code}\\n'",
			"curl -s -X PUT -H 'x-ask: 7' -d 'k=v' -D head localhost:4321/b; echo; grep -o 'x-seen: 7' head",
			'curl -sL localhost:4321/moved; echo',
			'curl -sf localhost:4321/none; echo $?',
			'curl -s -o saved localhost:4321/c; cat saved; echo',
			'curl -sI localhost:4321/d | head -1 | tr -d "\\r"',
			'wget -qO- localhost:4321/e; echo; wget -nv localhost:4321/f.txt 2>&1; cat f.txt; echo; wget -q localhost:4321/none; echo $?',
			'lsof -ti :4321 | grep -c "^[0-9]"; lsof -i tcp:4322; echo $?; ss -ltnp | grep -o "node.,"; netstat -tln | grep -c :4321',
			'fuser -k 4321/tcp | sed "s/ *[0-9]*$//"; wait; curl -s localhost:4321; echo $?'
		].join('\n')
	);
	expect(stdout.split('\n')).toEqual([
		'GET /a |200',
		'PUT /b k=v',
		'x-seen: 7',
		'GET /here ',
		'22',
		'GET /c ',
		'HTTP/1.1 200 OK',
		'GET /e ',
		"wget: 'f.txt' saved",
		'GET /f.txt ',
		'8',
		'1',
		'1',
		'node",',
		'1',
		'4321/tcp:',
		'7',
		''
	]);
});

it('tries again with curl while a server is not there yet or says that it is busy, and tells -w of a failure', async () => {
	const server = `let asked = 0;
	require('http').createServer((request, response) => {
		response.writeHead(++asked < 3 ? 503 : 200).end(request.method + ' ' + asked);
	}).listen(4341);`;
	await sandbox.writeFile(`${cwd}/late.js`, server);
	const { stdout, stderr } = await run(
		[
			"curl -s -o none -w '[%{http_code} %{url_effective} %{size_download}]\n' localhost:4341; echo $?",
			'(sleep 0.5; exec node late.js) &',
			"curl --retry 9 --retry-delay 1 --retry-connrefused -f -d x -w '|%{http_code}\n' localhost:4341",
			'curl -s --retry 5 --retry-max-time 1 localhost:4342; echo $?',
			'fuser -k 4341/tcp > /dev/null; wait'
		].join('\n')
	);
	expect(stdout.split('\n')).toEqual(['[000 http://localhost:4341/ 0]', '7', 'POST 3|200', '7', '']);
	expect(stderr).toContain('Warning: Problem: connection refused. Will retry in 1 second. 9 retries left.');
	expect(stderr).toContain('Warning: Problem: HTTP error. Will retry in 1 second.');
});

it('follows redirects with curl as curl does: a POST becomes a GET, and another origin gets no credentials', async () => {
	const server = `const http = require('http');
	const seen = ({ method, url, headers }, body) => [method, url, headers.authorization, headers.cookie, headers['x-ask'], body].join(' ');
	for (const port of [4331, 4332]) http.createServer((request, response) => {
		let body = '';
		request.on('data', (piece) => (body += piece));
		request.on('end', () => {
			const [, status, to] = request.url.split('/');
			if (to) return response.writeHead(Number(status), { location: 'http://' + (to.includes(':') ? to : 'localhost:' + to) + '/' }).end();
			response.end(seen(request, body));
		});
	}).listen(port, () => require('fs').writeFileSync('ready' + port, ''));`;
	await sandbox.writeFile(`${cwd}/redirects.js`, server);
	const ask = "curl -s -u me:word -b c=1 -H 'x-ask: 7' -d k=v localhost:4331";
	const { stdout } = await run(
		[
			'node redirects.js & until [ -e ready4331 ] && [ -e ready4332 ]; do sleep 0.05; done',
			...[
				'-L /302/4331',
				'-L /302/4332',
				'-L /307/4332',
				'--location-trusted /301/4332',
				'-L -X POST /303/4331',
				'-L --post302 /302/4331',
				'-L /302/127.0.0.1:4332'
			].map((line) => `${ask}${line.split(' ').at(-1)} ${line.split(' ').slice(0, -1).join(' ')}; echo`),
			'kill %1'
		].join('\n')
	);
	const me = `Basic ${btoa('me:word')} c=1`;
	expect(stdout.split('\n').slice(0, 7)).toEqual([
		`GET / ${me} 7 `,
		'GET /  c=1 7 ',
		'POST /  c=1 7 k=v',
		`GET / ${me} 7 `,
		`POST / ${me} 7 `,
		`POST / ${me} 7 k=v`,
		'GET /   7 '
	]);
});

it('finds processes by name or line, and ends them', async () => {
	await sandbox.writeFile(`${cwd}/serve-me.js`, 'setInterval(() => {}, 1000);');
	const { stdout } = await run(
		[
			'node serve-me.js & until pgrep -f serve-me.js > /dev/null; do sleep 0.05; done',
			'pgrep -fa serve-m | sed "s/^[0-9]* //"; pgrep -c node; pgrep -l -x node | cut -d" " -f2; pgrep nod[x]; echo $?',
			'test $(pidof node) = $!; echo $?; pidof nodes /bin/sleep; echo $?; pidof -q node && pidof -o $! node; echo $?; pidof -q pidof; echo $?',
			'pkill -f no-such-line; echo $?; pkill -9 -f serve-me.js; echo $?; wait; pgrep node; echo $?',
			'node serve-me.js & until pgrep -x node > /dev/null; do sleep 0.05; done',
			'killall -q nodes; echo $?; killall -s INT node; echo $?; wait; killall node 2>&1; pkill; echo $?'
		].join('\n')
	);
	expect(stdout.split('\n')).toEqual([
		'node serve-me.js',
		'1',
		'node',
		'1',
		'0',
		'1',
		'1',
		'0',
		'1',
		'0',
		'1',
		'1',
		'0',
		'killall: node: no process found',
		'2',
		''
	]);
});

it('calculates with bc, from a pipe, a here-string and a file, and stops at quit', async () => {
	await sandbox.writeFile(`${cwd}/double.bc`, 'define d(x) { return 2 * x }\n');
	const { stdout } = await run(
		"echo 'scale=2; 10/3' | bc; bc -l <<< '4*a(1)'; echo 'd(21)' | bc -q double.bc; echo '1+' | bc 2>&1; echo $?"
	);
	expect(stdout.split('\n')).toEqual([
		'3.33',
		'3.14159265358979323844',
		'42',
		'(standard_in) 1: syntax error',
		'0',
		''
	]);
	expect(await sandbox.exec("echo 'while (1) x = 1' | bc", { cwd, timeoutMs: 500 })).toMatchObject({ timedOut: true });
});

it('does not let an archive write outside the directory it is unpacked to', async () => {
	const { stdout } = await run(
		'mkdir -p in out && echo x > in/f && ln -s /tmp in/l && tar cf a.tar -C in l f && cd out && tar xf ../a.tar && ls | wc -l; ' +
			'mkdir -p ../b/l && echo evil > ../b/l/evil && tar cf ../b.tar -C ../b l/evil && tar xf ../b.tar 2>/dev/null; echo $?; ls /tmp/evil 2>/dev/null; echo gone'
	);
	expect(stdout).toBe('2\n2\ngone\n');
});
