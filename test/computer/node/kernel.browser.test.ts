import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import shellUrl from '#computer/shell/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import npmUrl from '#computer/npm/main.ts?program';
import type { OutputChunk } from '#environment/contract.ts';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl },
		{ ...PROGRAMS.npm, url: npmUrl }
	]);
});
afterAll(() => sandbox.cleanup());

const file = (name: string, text: string) => sandbox.writeFile(`/workspace/${name}`, text);
const run = (command: string) => sandbox.exec(command, { timeoutMs: 50_000 });

describe('node in the kernel', () => {
	it('runs a script with arguments and gives its exit code', async () => {
		await file('hello.js', 'console.log("hello", process.argv.slice(2)); process.exitCode = 4;');
		expect(await run('node hello.js a b')).toMatchObject({ stdout: "hello [ 'a', 'b' ]\n", stderr: '', exitCode: 4 });
	});

	it('calls functions of the global scope on any receiver', async () => {
		await file(
			'receivers.js',
			`const own = { atob, btoa, queueMicrotask, structuredClone };
console.log(own.structuredClone({ a: 1 }), own.atob('YQ=='), own.btoa('a'), structuredClone.name, Object.keys(globalThis).includes('atob'));
own.queueMicrotask(() => console.log('later'));
console.log(require('vm').runInNewContext('structuredClone([1])', { structuredClone }));`
		);
		expect(await run('node receivers.js')).toMatchObject({
			stdout: '{ a: 1 } a YQ== structuredClone true\n[ 1 ]\nlater\n',
			stderr: '',
			exitCode: 0
		});
	});

	it('signs with key pairs so that Web Crypto verifies it', async () => {
		await file(
			'tokens.js',
			`const crypto = require('node:crypto');
const data = Buffer.from('data');
(async () => {
	for (const [kind, options, algorithm, parameters] of [
		['rsa', { modulusLength: 1024 }, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, 'RSASSA-PKCS1-v1_5'],
		['ec', { namedCurve: 'P-256' }, { name: 'ECDSA', namedCurve: 'P-256' }, { name: 'ECDSA', hash: 'SHA-256' }],
		['ed25519', {}, 'Ed25519', 'Ed25519']
	]) {
		const { publicKey, privateKey } = crypto.generateKeyPairSync(kind, options);
		const web = await crypto.subtle.importKey('spki', publicKey.export({ format: 'der', type: 'spki' }), algorithm, true, ['verify']);
		const signature = crypto.sign(kind === 'ed25519' ? null : 'sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
		console.log(kind, await crypto.subtle.verify(parameters, web, signature, data));
	}
})();`
		);
		expect(await run('node tokens.js')).toMatchObject({
			stdout: 'rsa true\nec true\ned25519 true\n',
			stderr: '',
			exitCode: 0
		});
	});

	it('decodes memory that threads share, in the program and in WASI', async () => {
		await file(
			'shared.mjs',
			`import { WASI } from 'node:wasi';
const shared = new Uint8Array(new SharedArrayBuffer(3));
shared.set([104, 105, 33]);
const decoder = new TextDecoder();
console.log(decoder.decode(shared.subarray(0, 2)), decoder.decode(shared.buffer), decoder.decode());
const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
new Uint8Array(memory.buffer).set(Buffer.from('shared.mjs'));
const wasi = new WASI({ version: 'preview1', preopens: { '/': process.cwd() } });
wasi.finalizeBindings({ exports: {} }, { memory });
console.log(wasi.wasiImport.path_filestat_get(3, 0, 0, 10, 64), wasi.wasiImport.path_filestat_get(3, 0, 0, 4, 64));`
		);
		expect(await run('node shared.mjs')).toMatchObject({ stdout: 'hi hi! \n0 44\n', stderr: '', exitCode: 0 });
	});

	it('has no globals of a browser that Node lacks', async () => {
		await file(
			'globals.cjs',
			`const browsers = 'Temporal RTCDataChannel PushManager Notification XMLHttpRequest WebGLBuffer FileReader'.split(' ');
const nodes = 'Blob fetch WebSocket Navigator navigator structuredClone Iterator'.split(' ');
console.log(browsers.filter((name) => name in globalThis), nodes.filter((name) => !(name in globalThis)), navigator.userAgent);`
		);
		expect(await run('node globals.cjs')).toMatchObject({ stdout: '[] [] Node.js/22\n', stderr: '' });
		// The loader's own names stay.
		await file(
			'context.mjs',
			`import { AsyncLocalStorage } from 'node:async_hooks';
const storage = new AsyncLocalStorage();
process.on('message', async () => {
	const found = await Promise.resolve(storage.getStore());
	console.log(found, await new Promise((resolve) => setTimeout(resolve, 1, storage.getStore())));
});
storage.run('kept', () => process.emit('message'));`
		);
		expect(await run('node context.mjs')).toMatchObject({ stdout: 'kept kept\n', stderr: '' });
	});

	it('owns the globals that a worker inherits', async () => {
		const names = "['performance', 'crypto']";
		const code = `const other = Object.create(Object.getPrototypeOf(globalThis));
console.log(${names}.map((name) => [Object.hasOwn(globalThis, name), typeof other[name]].join()).join(' '), typeof performance.now(), String(globalThis));
performance = 1; console.log(performance);`;
		await file('owned.js', code);
		expect(await run('node owned.js')).toMatchObject({
			stdout: 'true,undefined true,undefined number [object global]\n1\n',
			stderr: ''
		});
	});

	it('makes responses and requests of streams and generators', async () => {
		await file(
			'bodies.mjs',
			`import { Readable } from 'node:stream';
async function* parts() { yield 'a'; yield Buffer.from('b'); yield new Uint8Array([99]); }
async function* broken() { throw new Error('broken'); }
class Own extends Response {}
const init = { method: 'POST', body: Readable.from([Buffer.from('posted')]), duplex: 'half' };
const answer = new Own(parts(), { status: 201 });
console.log(await answer.text(), answer.status, answer instanceof Response, new Response().constructor === Response);
console.log(await new Request('http://localhost/', init).text(), await new Response(new Blob(['c'])).text());
await new Response(broken()).text().catch((error) => console.log(error instanceof Error));
const url = new URL('http://localhost/');
url[Symbol.for('nodejs.util.inspect.custom')] = () => 'shown by its owner';
console.log(url);`
		);
		expect(await run('node bodies.mjs')).toMatchObject({
			stdout: 'abc 201 true true\nposted c\ntrue\nshown by its owner\n',
			stderr: '',
			exitCode: 0
		});
	});

	it('keeps as much of the output of a child as was asked', async () => {
		await file(
			'limits.js',
			`const child = require('child_process');
const ended = (name) => (error, stdout, stderr) => console.log(name, error?.name, error?.code, error?.message, stdout.slice(0, 9), stdout.length, stderr.length);
child.exec('echo hello world', { maxBuffer: 5 }, ended('short'));
const long = ['-e', "process.stdout.write('a'.repeat(1048577))"];
child.execFile(process.execPath, long, ended('default'));
child.execFile(process.execPath, long, { maxBuffer: Infinity }, ended('all'));
child.exec('printf 中文测试 >&2', { maxBuffer: 3 }, ended('characters'));
const { error, signal } = child.spawnSync('yes', { maxBuffer: 5 });
console.log(error.code, signal);`
		);
		const { stdout, stderr } = await run('node limits.js');
		expect(stderr).toBe('');
		expect(stdout.trim().split('\n').sort()).toEqual([
			'ENOBUFS SIGTERM',
			'all undefined undefined undefined aaaaaaaaa 1048577 0',
			'characters RangeError ERR_CHILD_PROCESS_STDIO_MAXBUFFER stderr maxBuffer length exceeded  0 3',
			'default RangeError ERR_CHILD_PROCESS_STDIO_MAXBUFFER stdout maxBuffer length exceeded aaaaaaaaa 1048576 0',
			'short RangeError ERR_CHILD_PROCESS_STDIO_MAXBUFFER stdout maxBuffer length exceeded hello 5 0'
		]);
	});

	it('shows the global names of Node and no others', async () => {
		const hidden = "['self', 'postMessage', 'addEventListener', 'importScripts', 'onerror', 'TEMPORARY']";
		await file(
			'names.js',
			`const shown = []; for (const name in globalThis) shown.push(name);
console.log(shown.sort().join(' ')); console.log(...new Set(${hidden}.map((name) => typeof globalThis[name])));
new EventTarget().addEventListener('x', () => {});`
		);
		expect(await run('node names.js')).toMatchObject({
			stdout:
				'atob btoa clearImmediate clearInterval clearTimeout crypto fetch global navigator performance queueMicrotask ' +
				'setImmediate setInterval setTimeout structuredClone\nundefined\n',
			stderr: ''
		});
	});

	it('runs TypeScript, modules with top-level await and an installed package', async () => {
		await file('node_modules/left/package.json', '{"name":"left","exports":"./l.js"}');
		await file('node_modules/left/l.js', 'exports.pad = (s) => s.padStart(5, ".");');
		await file('lib.ts', 'export enum Kind { A = 1, B }\nexport const of = (x: number): Kind => x as Kind;');
		await file(
			'main.mts',
			"import { pad } from 'left';\nimport { Kind, of } from './lib.ts';\nimport fs from 'node:fs/promises';\nconst text: string = await fs.readFile('lib.ts', 'utf8');\nconsole.log(pad('x'), Kind[of(2)], text.length > 10);"
		);
		expect(await run('node main.mts')).toMatchObject({ stdout: '....x B true\n', stderr: '', exitCode: 0 });
	});

	it('reports tests as JUnit and TAP, with suites that are asynchronous', async () => {
		await file(
			'reported.test.js',
			`const { test, describe, it } = require('node:test');
const assert = require('node:assert');
describe('outer <1>', () => {
	it('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 2)); });
	it('fails', () => assert.strictEqual(1, 2));
	it('skips', { skip: 'why' }, () => {});
	describe('inner', async () => { it('first', () => {}); await null; it('later', () => {}); });
});
test('calls back', (t, done) => setTimeout(done, 1));`
		);
		const junit = await run('node --test --test-reporter=junit reported.test.js');
		expect(junit.exitCode).toBe(1);
		const shape = junit.stdout
			.replace(/time="[\d.]+"/g, 'time=""')
			.replace(/(<failure [^>]*>)[^]*?(\t*<\/failure>)/, '$1$2');
		expect(shape).toContain(
			'\t<testsuite name="outer &lt;1>" time="" disabled="0" errors="0" tests="4" failures="1" skipped="1" hostname="sandglass">\n' +
				'\t\t<testcase name="waits" time="" classname="test"/>\n'
		);
		expect(shape).toContain('<skipped type="skipped" message="why"/>');
		expect(shape).toContain(
			'<testcase name="fails" time="" classname="test" failure="Expected values to be strictly equal:1 !== 2">\n\t\t\t<failure type="testCodeFailure" message="Expected values to be strictly equal:1 !== 2">'
		);
		expect(shape).toMatch(
			/<testsuite name="inner"[^>]*tests="2"[^>]*>\n\t\t\t<testcase name="first".*\n\t\t\t<testcase name="later"/
		);
		expect(shape).toMatch(/<testcase name="calls back"[^]*<!-- tests 6 -->[^]*<!-- fail 1 -->[^]*<\/testsuites>\n$/);
		const tap = await run('node --test --test-reporter=tap reported.test.js');
		expect(tap.stdout).toMatch(/^TAP version 13\n/);
		expect(tap.stdout).toMatch(
			/ {4}not ok 2 - fails\n[^]* {4}ok 4 - inner\n[^]*\nnot ok 1 - outer <1>\n[^]*\nok 2 - calls back\n/
		);
		await sandbox.remove('/workspace/reported.test.js');
	});

	it('names file and line of an uncaught error, in TypeScript too', async () => {
		await file('bad.ts', 'interface A {\n\tb: number;\n}\nconst a: A = { b: 1 };\nthrow new Error(`b is ${a.b}`);\n');
		const result = await run('node bad.ts');
		expect(result.exitCode).toBe(1);
		expect(result.stderr).toContain(
			'/workspace/bad.ts:5\nthrow new Error(`b is ${a.b}`);\n^\n\nError: b is 1\n    at '
		);
		expect(result.stderr).toMatch(/bad\.ts:5:7/);
	});

	it('reports failing tests and ends with 1', async () => {
		await file(
			'sum.test.js',
			"const { test, describe, it } = require('node:test');\nconst assert = require('node:assert');\ndescribe('sum', () => {\n\tit('adds', () => assert.strictEqual(1 + 1, 2));\n\tit('fails', () => assert.strictEqual(1 + 1, 3));\n});\ntest('later', { skip: true }, () => {});\n"
		);
		for (const command of ['node --test', 'node sum.test.js']) {
			const { stdout, exitCode } = await run(command);
			expect(exitCode).toBe(1);
			expect(stdout).toMatch(/▶ sum\n {2}✔ adds \([\d.]+ms\)\n {2}✖ fails \([\d.]+ms\)\n✖ sum/);
			expect(stdout).toContain('ℹ tests 3\nℹ suites 1\nℹ pass 1\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\n');
			expect(stdout).toContain('✖ failing tests:\n\ntest at sum.test.js:5:2\n✖ fails');
			expect(stdout).toContain('Expected values to be strictly equal:\n  \n  2 !== 3');
		}
	});

	it('reads a pipe', async () => {
		await file(
			'count.js',
			"let n = 0; process.stdin.on('data', (c) => (n += c.length)).on('end', () => console.log(n));"
		);
		expect(await run('printf abc | node count.js')).toMatchObject({ stdout: '3\n', exitCode: 0 });
	});

	it('keeps what was written before an endless loop was killed', async () => {
		await file('loop.js', "require('fs').writeFileSync('kept.txt', 'kept'); console.log('started'); while (true);");
		const stop = new AbortController();
		const result = await sandbox.exec('node loop.js', { signal: stop.signal, onOutput: () => stop.abort() });
		expect(result).toMatchObject({ stdout: 'started\n', exitCode: 130 });
		expect(await sandbox.readFile('/workspace/kept.txt')).toBe('kept');
	});

	it('ends with 1 on an unhandled rejection', async () => {
		const result = await run(`node -e "Promise.reject(new Error('lost')); setTimeout(() => console.log('no'), 500)"`);
		expect(result).toMatchObject({ stdout: '', exitCode: 1 });
		expect(result.stderr).toContain('Error: lost');
	});

	it('has Web Crypto, which the browser gives to no worker of an opaque origin', async () => {
		await file(
			'subtle.js',
			`const { webcrypto } = require('crypto');
crypto.subtle.digest('SHA-256', Buffer.from('x')).then((digest) => console.log(Buffer.from(digest).toString('hex').slice(0, 16)));
crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']).then((key) => console.log(key instanceof CryptoKey, key.algorithm));
console.log(webcrypto.subtle === crypto.subtle, /^[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$/.test(crypto.randomUUID()));`
		);
		expect(await run('node subtle.js')).toMatchObject({
			stdout: "true true\n2d711642b726b044\ntrue { name: 'AES-GCM', length: 256 }\n",
			exitCode: 0
		});
	});

	it('goes on while a read of standard input waits', async () => {
		await file(
			'reads.js',
			`const fs = require('fs');
fs.read(0, Buffer.alloc(8), 2, 4, null, (error, count, target) => console.log(error, count, target.toString('utf8', 2, 2 + count)));
fs.readFile('reads.js', 'utf8', (_, text) => console.log('meanwhile', text.length > 9));`
		);
		const { stdout } = await run('(until [ -s seen ]; do :; done; printf input) | (node reads.js | tee seen)');
		expect(stdout).toBe('meanwhile true\nnull 4 inpu\n');
	});

	it('runs children and waits for them', async () => {
		await file(
			'parent.js',
			"const cp = require('child_process');\nconsole.log(cp.execSync('echo from child').toString().trim());\nconst c = cp.spawn('node', ['-p', '6*7']);\nc.stdout.on('data', (d) => console.log('got', String(d).trim()));\nc.on('close', (code) => console.log('closed', code));"
		);
		expect(await run('node parent.js')).toMatchObject({ stdout: 'from child\ngot 42\nclosed 0\n', exitCode: 0 });
	});

	it('starts commands that are the shell’s own, and tells a child that has ended no more', async () => {
		await file('a/x.txt', 'x');
		await file(
			'children.js',
			`const { execFileSync, spawn, spawnSync } = require('child_process');
			console.log(String(execFileSync('ls', ['a'])), spawnSync('/bin/cat', ['a/x.txt']).stdout + '', spawnSync('cd').error.code);
			const child = spawn('echo', ['it\\'s', '$HOME']);
			child.stdout.on('data', (text) => console.log(String(text)));
			child.stdin.on('close', () => console.log('closed'));`
		);
		const { stdout } = await run('node children.js');
		expect(stdout).toContain('x.txt\n x ENOENT\n');
		expect(stdout).toContain("it's $HOME\n");
		expect(stdout).toContain('closed\n');
	});

	it('says of a tool that needs a machine why it does not run', async () => {
		await file('node_modules/cypress/bin/cypress', '');
		expect(await run('node node_modules/cypress/bin/cypress run')).toMatchObject({
			stderr: expect.stringMatching(/^cypress cannot run in a browser tab: it starts a browser/),
			exitCode: 1
		});
	});

	it('ends while a child that it does not wait for goes on, and the child is notified', async () => {
		await file(
			'service.js',
			'process.stdin.on("data", (data) => process.stdout.write(data)).on("end", () => require("fs").writeFileSync("told", "yes"));'
		);
		await file(
			'client.js',
			`const child = require('child_process').spawn('node', ['service.js'], { stdio: ['pipe', 'pipe', 'inherit'] });
child.unref(); child.stdin.unref(); child.stdout.unref();
child.ref();
child.stdout.once('data', (data) => { console.log(String(data)); child.unref(); });
child.stdin.write('hello');`
		);
		expect(await run('node client.js; until [ -s told ]; do :; done; cat told')).toMatchObject({
			stdout: 'hello\nyes',
			exitCode: 0
		});
	});

	it('runs package scripts with their bins', async () => {
		await file(
			'package.json',
			'{"name":"demo","version":"1.2.3","scripts":{"pretest":"echo pre","test":"tool","fail":"node -e \'process.exit(3)\'"}}'
		);
		await file('node_modules/tool/package.json', '{"name":"tool","bin":"cli.js"}');
		await file(
			'node_modules/tool/cli.js',
			"#!/usr/bin/env node\nconsole.log('tool', process.argv.slice(2), process.env.npm_package_name);"
		);
		await run(
			'mkdir -p node_modules/.bin && ln -s ../tool/cli.js node_modules/.bin/tool && chmod +x node_modules/tool/cli.js'
		);
		const result = await run('npm test -- --flag');
		expect(result).toMatchObject({
			stdout:
				"\n> demo@1.2.3 pretest\n> echo pre\n\npre\n\n> demo@1.2.3 test\n> tool --flag\n\ntool [ '--flag' ] demo\n",
			exitCode: 0
		});
		expect((await run('npm run -s fail')).exitCode).toBe(3);
		expect((await run('npx tool x')).stdout).toBe("tool [ 'x' ] demo\n");
	});

	it('runs a script of package.json, and TypeScript in place of tools that compile it', async () => {
		await file('package.json', '{"name":"demo","scripts":{"hi":"echo hi"}}');
		expect(await run('node --run hi -- you')).toMatchObject({ stdout: 'hi you\n', exitCode: 0 });
		await file('node_modules/tsx/package.json', '{"name":"tsx","bin":"./dist/cli.mjs"}');
		await file('node_modules/tsx/dist/cli.mjs', 'throw new Error("the native tool ran");');
		await file('typed.ts', 'enum A { b = 1 }\nconsole.log(A.b as number, process.argv[2]);');
		expect(await run('npx tsx --tsconfig tsconfig.json typed.ts x')).toMatchObject({ stdout: '1 x\n', exitCode: 0 });
		expect(await run('node --import tsx typed.ts y')).toMatchObject({ stdout: '1 y\n', exitCode: 0 });
		await file('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } /* as tsx has it */, }, }');
		await file('lib/name.ts', "import about from './about.json';\nexport const name: string = about.name;");
		await file('lib/about.json', '{"name":"of paths"}');
		await file('mapped.ts', "import { name } from '@/name';\nconsole.log(name);");
		expect(await run('npx tsx mapped.ts')).toMatchObject({ stdout: 'of paths\n', exitCode: 0 });
		expect((await run('node mapped.ts')).stderr).toContain("Cannot find package '@/name'");
	});

	it('takes variables from files', async () => {
		await file('.env', 'A=1\nB="two words" # a comment\nHOME=/nowhere\n');
		const { stdout } = await run('node --env-file=.env -p "process.env.A + process.env.B + process.env.HOME"');
		expect(stdout).toBe('1two words/home/user\n');
		expect(await run('node --env-file gone -p 1')).toMatchObject({ stderr: 'node: gone: not found\n', exitCode: 9 });
		expect((await run('node --env-file-if-exists=gone -p 1')).stdout).toBe('1\n');
		expect((await run("node -p 'process.loadEnvFile(); process.env.B'")).stdout).toBe('two words\n');
	});

	it('runs a watched program again when a source file changes', async () => {
		await file('watched.js', 'console.log("first"); setInterval(() => {}, 1000);');
		let printed = '';
		const onOutput = ({ data }: OutputChunk) => void (printed += data);
		const watching = await sandbox.start('node --watch watched.js', { timeoutMs: 50_000, onOutput });
		const until = (text: string) => expect.poll(() => printed, { timeout: 20_000 }).toContain(text);
		await until('first\n');
		await file('watched.js', 'console.log("second");');
		await until("Restarting 'watched.js'\nsecond\nCompleted running 'watched.js'\n");
		await file('watched.js', 'process.exit(2);');
		await until("Failed running 'watched.js'\n");
		await watching.kill();
	});

	it('runs a watched program again for what it has loaded only, and ends with its watcher', async () => {
		await file('lib/part.mjs', 'export const part = 1;');
		await file(
			'server.mjs',
			`import { part } from './lib/part.mjs';
console.log('part', part, Object.keys(process.env).filter((name) => name.includes('WATCH')).length);
setInterval(() => {}, 1000);`
		);
		let printed = '';
		const onOutput = ({ data }: OutputChunk) => void (printed += data);
		const watching = await sandbox.start('node --watch server.mjs', { timeoutMs: 50_000, onOutput });
		const until = (text: string) => expect.poll(() => printed, { timeout: 20_000 }).toContain(text);
		await until('part 1 0\n');
		// The program's own data, and sources that it does not import.
		await run("mkdir -p data; echo '[1]' > data/entries.json; echo 'x' > other.mjs");
		await file('lib/part.mjs', 'export const part = 2;');
		await until('part 2 0\n');
		expect(printed).toBe("part 1 0\nRestarting 'server.mjs'\npart 2 0\n");
		await watching.kill();
		await expect.poll(async () => (await run('ps -ef')).stdout).not.toContain('node server.mjs');
	});

	it('watches the places it is given, in place of what the program loads', async () => {
		await file('placed.js', 'console.log("run"); setInterval(() => {}, 1000);');
		await run('mkdir -p placed');
		let printed = '';
		const onOutput = ({ data }: OutputChunk) => void (printed += data);
		const command = 'timeout 15 node --watch-path=placed placed.js';
		const watching = await sandbox.start(command, { timeoutMs: 50_000, onOutput });
		const until = (text: string) => expect.poll(() => printed, { timeout: 20_000 }).toContain(text);
		await until('run\n');
		await file('placed/new.txt', 'x');
		await until("Restarting 'placed.js'\nrun\n");
		await watching.kill();
	});

	it('gives a watched program its own arguments, and not its watcher’s', async () => {
		await file('told.js', 'console.log(JSON.stringify([process.execArgv, process.argv.slice(2)]));');
		let printed = '';
		const onOutput = ({ data }: OutputChunk) => void (printed += data);
		const command = 'node --no-warnings --watch-path lib told.js --watch --watch-path=a';
		const watching = await sandbox.start(command, { timeoutMs: 50_000, onOutput });
		await expect.poll(() => printed).toContain('[["--no-warnings"],["--watch","--watch-path=a"]]\nCompleted');
		await watching.kill();
	});
});
