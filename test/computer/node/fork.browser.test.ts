import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

const run = async (files: Record<string, string>, command = 'node main.js') => {
	for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`/workspace/${name}`, text);
	return sandbox.exec(command, { timeoutMs: 50_000 });
};

it('exchanges messages with a program it forked', async () => {
	const result = await run({
		'main.js': `
			const child = require('child_process').fork('./child.js', ['a']);
			console.log(child.connected);
			child.on('message', (value) => { console.log('got', value); if (value.sum) child.send('bye'); });
			child.send({ numbers: [1, 2], gone: undefined });
			child.on('disconnect', () => console.log('disconnect', child.connected));
			child.on('exit', (code, signal) => console.log('exit', code, signal));`,
		'child.js': `
			process.send({ argv: process.argv.slice(2), connected: process.connected });
			process.on('message', (value) => {
				if (value === 'bye') { process.send('last words'); process.exit(3); }
				process.send({ sum: value.numbers.reduce((a, b) => a + b), keys: Object.keys(value) });
			});`
	});
	expect(result.stderr).toBe('');
	expect(result.stdout).toBe(
		"true\ngot { argv: [ 'a' ], connected: true }\ngot { sum: 3, keys: [ 'numbers' ] }\ngot last words\ndisconnect false\nexit 3 null\n"
	);
});

it('runs nothing of a program after its end, not even what catches errors', async () => {
	const result = await run({
		'main.js': `
			const { fork } = require('child_process');
			for (let count = 0; count < 5; count++) {
				const child = fork('./child.js');
				child.on('message', (message) => console.log('late', message));
				child.on('exit', (code) => console.log('exit', code));
			}`,
		'child.js': `try { process.exit(3); } catch (error) { process.send(error.message); } finally { process.send('finally'); }`
	});
	expect(result).toMatchObject({ stderr: '', stdout: 'exit 3\n'.repeat(5) });
});

it('counts the users of a channel, unless the program decides itself', async () => {
	const result = await run({
		'main.js': `
			const { fork } = require('child_process');
			const start = (name, next) => fork('./child.js', [name]).on('exit', function (code) { console.log(name, code, this.channel); next?.(); });
			const child = start('counted', () => start('decided', () => start('removed')));
			console.log(child.channel.constructor.name, typeof child.channel.refCounted);`,
		'child.js': `
			const { channel } = process;
			const stop = () => process.removeAllListeners('message');
			if (process.argv[2] === 'counted') {
				channel.refCounted();
				setTimeout(() => { console.log('freed'); channel.unrefCounted(); }, 100);
			} else {
				process.on('message', () => {});
				if (process.argv[2] === 'decided') channel.unref();
				else channel.once('unref', () => console.log('unref')) && setTimeout(stop, 100);
			}`
	});
	expect(result).toMatchObject({
		stderr: '',
		stdout: 'Control function\nfreed\ncounted 0 null\ndecided 0 null\nunref\nremoved 0 null\n'
	});
});

it('ends a forked program that listens when its parent disconnects', async () => {
	const result = await run({
		'main.js': `
			const child = require('child_process').fork('./child.js');
			child.once('message', () => child.disconnect());
			child.on('exit', (code) => { console.log('exit', code); try { child.send('x') } catch (e) { console.log(e.code) } });
			child.on('error', (error) => console.log(error.code));`,
		'child.js': `process.on('message', () => {}); process.on('disconnect', () => console.log('child sees it')); process.send('ready');`
	});
	expect(result).toMatchObject({ stdout: 'child sees it\nexit 0\nERR_IPC_CHANNEL_CLOSED\n', stderr: '', exitCode: 0 });
});

it('hands signals to their listeners and ends by the others with 128 and their number', async () => {
	const result = await run({
		'main.js': `
			const { spawn } = require('child_process');
			const ended = (child) => new Promise((resolve) => child.on('close', (...how) => resolve(how)));
			(async () => {
				const kind = spawn('node', ['-e', "process.on('SIGTERM', (name, number) => { console.log(name, number); process.exit(7) }); console.log('up'); setInterval(() => {}, 1000)"], { stdio: ['ignore', 'pipe', 'inherit'] });
				kind.stdout.once('data', () => kind.kill('SIGTERM'));
				let text = '';
				kind.stdout.on('data', (chunk) => (text += chunk));
				console.log(await ended(kind), JSON.stringify(text));
				const plain = spawn('node', ['-e', 'setInterval(() => {}, 1000)']);
				plain.on('spawn', () => plain.kill('SIGINT'));
				console.log(await ended(plain));
			})();`
	});
	expect(result.stderr).toBe('');
	expect(result.stdout).toBe('[ 7, null ] "up\\nSIGTERM 15\\n"\n[ null, \'SIGINT\' ]\n');
	expect((await sandbox.exec('node -e \'process.kill(process.pid, "SIGTERM")\'')).exitCode).toBe(143);
	expect(
		(await sandbox.exec('node -e \'process.kill(process.pid, "SIGINT"); setInterval(() => {}, 1000)\'')).exitCode
	).toBe(130);
});

it('reads standard input as a stream, line by line and at once', async () => {
	const lines = `printf 'a\\nb\\nc' | node -e "
		(async () => { for await (const line of require('readline').createInterface({ input: process.stdin })) console.log('[' + line + ']') })()"`;
	expect((await sandbox.exec(lines)).stdout).toBe('[a]\n[b]\n[c]\n');
	const chunks = `printf 'abc' | node -e "(async () => { let text = ''; for await (const chunk of process.stdin) text += chunk; console.log(text.length) })()"`;
	expect((await sandbox.exec(chunks)).stdout).toBe('3\n');
	expect((await sandbox.exec(`printf 'xyz' | node -e "console.log(fs.readFileSync(0, 'utf8'))"`)).stdout).toBe('xyz\n');
});

it('ends children by signals, and gives what they print in the encoding asked for', async () => {
	const result = await run(
		{
			'main.js': `
			const { exec, execFile, fork, spawn } = require('child_process');
			const { promisify } = require('util');
			(async () => {
				const controller = new AbortController();
				const waiting = promisify(exec)('sleep 100', { signal: controller.signal });
				controller.abort('enough');
				await waiting.catch(({ name, cause, cmd }) => console.log(name, cause, cmd));
				await promisify(execFile)('no-such-program').catch(({ code, cmd }) => console.log(code, cmd));
				for (const encoding of ['utf8', undefined, 'buffer'])
					console.log(encoding, (await promisify(exec)('echo é', { encoding })).stdout);
				await promisify(exec)('echo ééé', { maxBuffer: 5 }).catch(({ message, stdout }) => console.log(message, stdout));
				const shell = spawn('exit 3', { shell: true });
				console.log(shell.spawnfile, shell.spawnargs, shell.stdin.readable, shell.stdout.writable);
				try { shell.kill('SIGNONE') } catch ({ code }) { console.log(code) }
				const env = Object.assign(Object.create({ INHERITED: 'yes' }), { PATH: process.env.PATH });
				console.log((await promisify(exec)('echo $INHERITED', { env })).stdout);
				const child = fork('./child.js', ['x']);
				for (const options of [null, 'text', 0]) try { child.send(1, null, options) } catch ({ code }) { console.log(code) }
				console.log(child.channel === child._channel);
				child.on('message', (flags) => { console.log(flags); child[Symbol.dispose ?? Symbol.for('Symbol.dispose')](); });
				child.on('exit', (code, signal) => console.log(code, signal));
			})();`,
			'child.js': 'process.send(process.execArgv); process.on("message", () => {})'
		},
		'node --no-deprecation main.js'
	);
	expect(result).toMatchObject({
		stdout: `AbortError enough sleep 100
ENOENT no-such-program
utf8 é

undefined <Buffer c3 a9 0a>
buffer <Buffer c3 a9 0a>
stdout maxBuffer length exceeded ééé

/bin/sh [ '/bin/sh', '-c', 'exit 3' ] false false
ERR_UNKNOWN_SIGNAL
yes

ERR_INVALID_ARG_TYPE
ERR_INVALID_ARG_TYPE
ERR_INVALID_ARG_TYPE
true
[ '--no-deprecation' ]
null SIGTERM
`,
		stderr: '',
		exitCode: 0
	});
});

it.each([
	['throw', 1, 'exit 1\n'],
	['strict', 1, 'exit 1\n'],
	['none', 0, 'later\nexit 0\n'],
	[
		'warn',
		0,
		'UnhandledPromiseRejectionWarning ignored\nUnhandledPromiseRejectionWarning Unhandled\nlater\nhandled true\nPromiseRejectionHandledWarning Promise\nexit 0\n'
	],
	[
		'warn-with-error-codes',
		1,
		'UnhandledPromiseRejectionWarning ignored\nUnhandledPromiseRejectionWarning Unhandled\nlater\nhandled true\nPromiseRejectionHandledWarning Promise\nexit 1\n'
	]
])('treats a rejection that nobody handles by --unhandled-rejections=%s', async (mode, exitCode, stdout) => {
	const result = await run(
		{
			'main.js': `
			const promise = Promise.reject('ignored');
			process.on('warning', ({ name, message }) => console.log(name, message.split(' ')[0]));
			process.on('rejectionHandled', (which) => console.log('handled', which === promise));
			process.on('exit', (code) => console.log('exit', code));
			setTimeout(() => { console.log('later'); if (process.execArgv[0].includes('warn')) promise.catch(() => {}); }, 20);`
		},
		`node --unhandled-rejections=${mode} --no-warnings main.js`
	);
	expect(result).toMatchObject({ stdout, exitCode });
});

it('refuses a way to treat rejections that there is not', async () => {
	expect(await run({}, 'node --unhandled-rejections=later main.js')).toMatchObject({
		stderr: 'node: invalid value for --unhandled-rejections\n',
		exitCode: 9
	});
});

it('starts children through the method that tools replace to follow them', async () => {
	const result = await run({
		'main.js': `
			const { ChildProcess, execFile, fork } = require('child_process');
			const start = ChildProcess.prototype.spawn;
			ChildProcess.prototype.spawn = function (options) {
				console.log(options.file.split('/').pop(), options.args.length, options.envPairs.includes('GIVEN=1'), options.detached);
				options.envPairs = [...options.envPairs, 'FOLLOWED=a=b'];
				return start.call(this, options);
			};
			const env = { PATH: process.env.PATH, GIVEN: '1' };
			execFile(process.execPath, ['-p', 'process.env.FOLLOWED'], { env }, (error, stdout) => {
				console.log(error, stdout.trim());
				fork('./child.js', { env }).on('message', (value) => console.log(value));
			});`,
		'child.js': `process.send(process.env.FOLLOWED); process.disconnect();`
	});
	expect(result).toMatchObject({
		stdout: 'node 3 true false\nnull a=b\nnode 2 true false\na=b\n',
		stderr: '',
		exitCode: 0
	});
});

/** A test runner catches what its tests throw, and still has to end. */
it('ends when listeners for the end of a child or of a thread have thrown', async () => {
	const program = `const { exec, spawn } = require('child_process');
		const { Worker } = require('worker_threads');
		process.on('uncaughtException', ({ message }) => console.log('uncaught', message));
		exec('exit 3', ({ code }) => { throw new Error('in the callback of exec: ' + code) });
		spawn('true').on('exit', () => { throw new Error('at exit') });
		new Worker("throw new Error('of a thread')", { eval: true }).on('exit', () => { throw new Error('at the exit of a thread') });
		console.log(process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length);`;
	const { stdout, exitCode } = await run({ 'throwing.cjs': program }, 'node throwing.cjs | sort');
	expect(stdout).toBe(`2
uncaught at exit
uncaught at the exit of a thread
uncaught in the callback of exec: 3
uncaught of a thread
`);
	expect(exitCode).toBe(0);
});

it('tells a child by EPIPE that its output is not read any more', async () => {
	const result = await run(
		{
			'writer.cjs': `const fs = require('fs');
		process.on('message', () => {
			fs.write(1, 'text', (error) => {
				process.send(error?.code ?? 'written');
				process.disconnect();
			});
		});
		process.send('ready');`,
			'main.cjs': `const child = require('child_process').fork('./writer.cjs', { silent: true });
		child.stdout.on('data', () => {});
		child.stdout.on('close', () => child.send('write'));
		child.on('message', (text) => (text === 'ready' ? child.stdout.destroy() : console.log(text)));
		child.on('close', (code) => console.log('closed', code));`
		},
		'node main.cjs'
	);
	expect(result.stdout).toBe('EPIPE\nclosed 0\n');
});

it('has written what a program gave to fs.write before it exits', async () => {
	const program = `fs.write(1, 'by a callback\\n', () => {});
		fs.writev(1, [Buffer.from('in '), Buffer.from('parts\\n')], () => {});
		process.exit()`;
	const { stdout } = await run({ 'exits.cjs': `const fs = require('fs'); ${program}` }, 'node exits.cjs | cat');
	expect(stdout).toBe('by a callback\nin parts\n');
});

it('gives the calls that are under way', async () => {
	const { stdout } = await run(
		{
			'sites.cjs': `const { getCallSites } = require('util');
function inner() { return getCallSites(); }
const outer = (depth) => (depth > 0 ? outer(depth - 1) : inner());
const [first, second] = outer(20);
console.log(first.functionName, first.scriptName, first.lineNumber, second.functionName, outer(20).length, getCallSites(1).length);
try { getCallSites(0) } catch ({ code }) { console.log(code) }`
		},
		'node sites.cjs'
	);
	expect(stdout).toBe('inner /workspace/sites.cjs 2 outer 10 1\nERR_OUT_OF_RANGE\n');
});
