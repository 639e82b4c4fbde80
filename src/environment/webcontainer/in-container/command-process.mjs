import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import { listen, tell } from './frames.mjs';

/** Time between asking a command to end and killing it. */
const GRACE_MS = 2_000;
/** Time to wait for output of children that outlive the command. */
const LATE_OUTPUT_MS = 250;
const POLL_MS = 20;

/** Runs one shell command on pipes and reports its two streams separately, then how it ended. */
const [, , place] = process.argv;
const { command, cwd, stdin } = JSON.parse(await readFile(place, 'utf8'));
await rm(place);

const child = spawn('jsh', ['-c', command], { cwd, stdio: 'pipe', detached: true });
let ending;

child.on('error', (error) => {
	tell({ failed: error.code === 'ENOENT' ? 'The shell jsh is not there.' : error.message });
	leave(127);
});
child.on('spawn', () => tell({ pid: child.pid }));
// A command need not read all of its input.
child.stdin.on('error', () => {});
if (stdin === null) child.stdin.end();
else if (stdin !== undefined)
	createReadStream(stdin)
		.on('close', () => void rm(stdin, { force: true }))
		.pipe(child.stdin);

const closed = Promise.all([forward(child.stdout, 'stdout'), forward(child.stderr, 'stderr')]);

listen((text) => {
	const { data, end, signal } = JSON.parse(text);
	if (data !== undefined) child.stdin.write(Buffer.from(data, 'base64'));
	if (end) child.stdin.end();
	if (signal) ending ??= endGroup(signal);
});

child.on('exit', async (code, signal) => {
	await ending;
	await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LATE_OUTPUT_MS))]);
	leave(code ?? 128 + (signal ? constants.signals[signal] : 0));
});

function forward(stream, name) {
	const decoder = new StringDecoder('utf8');
	const pass = (data) => {
		if (data && !tell({ stream: name, data })) {
			stream.pause();
			process.stdout.once('drain', () => stream.resume());
		}
	};
	return new Promise((resolve) => {
		stream.on('data', (bytes) => pass(decoder.write(bytes)));
		stream.on('close', () => {
			pass(decoder.end());
			resolve();
		});
	});
}

/** Ends the command and everything it started; only the command if there are no process groups. */
async function endGroup(signal) {
	signalAll(signal);
	for (let waited = 0; waited < GRACE_MS && isAlive(); waited += POLL_MS)
		await new Promise((resolve) => setTimeout(resolve, POLL_MS));
	if (isAlive()) signalAll('SIGKILL');
}

function signalAll(signal) {
	try {
		process.kill(-child.pid, signal);
	} catch {
		child.kill(signal);
	}
}

function isAlive() {
	try {
		return process.kill(-child.pid, 0);
	} catch {
		return child.exitCode === null && child.signalCode === null;
	}
}

function leave(exitCode) {
	tell({ exitCode });
	process.stdout.write('', () => process.exit(exitCode));
}
