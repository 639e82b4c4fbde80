import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

const run = async (text: string) => {
	await sandbox.writeFile('/workspace/streams.js', `const fs = require('fs'), cp = require('child_process');\n${text}`);
	return sandbox.exec('node streams.js', { timeoutMs: 50_000 });
};

it('gives children files as their streams, with a common position', async () => {
	const result = await run(`
		const out = fs.openSync('out.log', 'w');
		fs.writeSync(out, 'own\\n');
		const both = cp.spawnSync('sh', ['-c', 'echo out; echo err >&2'], { stdio: ['ignore', out, out] });
		fs.writeSync(out, 'again\\n');
		console.log(both.status, both.output, both.stdout);
		const input = fs.openSync('out.log');
		fs.readSync(input, Buffer.alloc(4));
		console.log(cp.spawnSync('cat', { stdio: [input, 'pipe', 'pipe'], encoding: 'utf8' }).stdout);
		const log = fs.openSync('more.log', 'a');
		cp.spawn('sh', ['-c', 'echo a; echo b >&3'], { stdio: ['ignore', log, 'inherit', log] }).on('close', (code) => {
			fs.closeSync(log);
			console.log(code, fs.readFileSync('more.log', 'utf8'));
		});`);
	expect(result).toMatchObject({ stderr: '', stdout: '0 [ null, null, null ] null\nout\nerr\nagain\n\n0 a\nb\n\n' });
});

it('connects further streams of a child in both directions', async () => {
	const result = await run(`
		const child = cp.spawn('sh', ['-c', 'echo three >&3; read line <&4; echo $line'], { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] });
		console.log(child.stdio.length, child.stdio[3] instanceof require('net').Socket);
		let out = '', three = '';
		child.stdout.on('data', (data) => (out += data));
		child.stdio[3].on('data', (data) => (three += data));
		child.stdio[4].end('four\\n');
		child.on('close', (code) => {
			console.log(code, out, three);
			const both = cp.spawn('node', ['-e', 'const s = new net.Socket({ fd: 3 }); s.on("data", (d) => s.end("re: " + d))'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
			both.stdio[3].on('data', (data) => console.log(String(data)));
			both.stdio[3].write('ping');
			both.on('close', (code) => console.log(code));
		});`);
	expect(result).toMatchObject({ stderr: '', stdout: '5 true\n0 four\n three\n\nre: ping\n0\n' });
});

it('collects further streams of a synchronous child, which reads and writes them by number', async () => {
	const result = await run(`
		const program = 'fs.createWriteStream(null, { fd: 3 }).write("three"); fs.writeSync(4, "four"); console.log(fs.fstatSync(3).isFile())';
		const { status, output, stderr } = cp.spawnSync('node', ['-e', program], { stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'], encoding: 'utf8' });
		console.log(status, output);
		console.log(cp.spawnSync('sh', ['-c', 'echo out; exit 3'], { stdio: 'ignore' }).output);
		console.log(cp.execSync('echo out >&3', { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] }).length);
		console.log(cp.spawnSync('node', ['-e', 'fs.writeSync(5, "x")'], { encoding: 'utf8' }).stderr.includes('EBADF'));`);
	expect(result).toMatchObject({
		stderr: '',
		stdout: "0 [ null, 'false\\n', '', 'three', 'four' ]\n[ null, null, null ]\n0\ntrue\n"
	});
});

it('gives the output of one child to another', async () => {
	const result = await run(`
		const first = cp.spawn('sh', ['-c', 'echo one; echo two']);
		const second = cp.spawn('wc', ['-l'], { stdio: [first.stdout, 'pipe', 'inherit'] });
		second.stdout.on('data', (data) => console.log(String(data).trim()));
		for (const bad of [{}, 'file', new fs.WriteStream('later')]) {
			try { cp.spawn('true', { stdio: [bad] }); } catch (error) { console.log(error.code); }
		}`);
	expect(result).toMatchObject({
		stderr: '',
		stdout: 'ERR_INVALID_ARG_VALUE\nERR_INVALID_SYNC_FORK_INPUT\nERR_INVALID_ARG_VALUE\n2\n'
	});
});

it('closes the streams of a child that could not be started', async () => {
	await sandbox.exec('printf "#!/bin/sh\\n" > refused && chmod 644 refused', { timeoutMs: 20_000 });
	const result = await run(`
		const child = cp.spawn('missing-command', { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
		child.stdin.on('error', (error) => console.log('stdin', error.code)).end('input');
		child.stdout.on('end', () => console.log('end')).resume();
		child.on('error', (error) => console.log(error.code)).on('close', (code) => {
			console.log('close', code);
			cp.spawn('refused', { env: { PATH: '/workspace' } }).on('error', (error) => console.log(error.message));
		});
		new cp.ChildProcess().unref();
		const asked = cp.spawn('sleep', ['0.2']);
		console.log(asked.kill(0), asked.killed);`);
	expect(result).toMatchObject({ stderr: '', stdout: 'true true\nENOENT\nend\nclose -2\nspawn refused EACCES\n' });
});
