// Runs the bundled `node` program in a plain Node process, with its syscalls answered from the real file system. Usage:
// node host.mjs <bundle> <args…>. It stands in for a worker and the kernel.
import fs from 'node:fs';
import { spawnSync } from 'node:child_process';

const real = process;
const [, , bundle, ...args] = real.argv;

class SyscallError extends Error {
	name = 'SyscallError';
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}
const kind = (stat) => (stat.isSymbolicLink() ? 'symlink' : stat.isDirectory() ? 'directory' : 'file');
const wire = (stat) => ({
	kind: kind(stat),
	size: stat.size,
	mode: stat.mode,
	modifiedMs: stat.mtimeMs,
	inode: stat.ino,
	links: stat.nlink
});
const own = (bytes) => new Uint8Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
const readStdin = (max) => {
	const chunk = new Uint8Array(max);
	try {
		return chunk.subarray(0, fs.readSync(0, chunk));
	} catch (error) {
		if (error.code === 'EOF') return new Uint8Array();
		throw error;
	}
};
const walk = (directory, skip) =>
	fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
		const path = `${directory}/${entry.name}`;
		if (skip.includes(entry.name)) return [];
		return [{ path, stat: wire(fs.lstatSync(path)) }, ...(entry.isDirectory() ? walk(path, skip) : [])];
	});

/** WebAssembly modules that Node's own modules request. */
const ASSETS = {
	'brotli.wasm': 'brotli-wasm/pkg.bundler/brotli_wasm_bg.wasm',
	'sqlite3.wasm': '@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'
};

const calls = {
	asset: (name) => own(fs.readFileSync(new URL(`../../../../node_modules/${ASSETS[name]}`, import.meta.url))),
	stat: (path) => wire(fs.statSync(path)),
	lstat: (path) => wire(fs.lstatSync(path)),
	fileSystems: () => {
		const { bsize, blocks, bfree } = fs.statfsSync('/');
		const [totalBytes, freeBytes] = [blocks * bsize, bfree * bsize];
		return [{ target: '/', totalBytes, usedBytes: totalBytes - freeBytes, freeBytes, files: 0 }];
	},
	statOrNull: (path) => {
		const stat = fs.statSync(path, { throwIfNoEntry: false });
		return stat ? wire(stat) : null;
	},
	readdir: (path) =>
		fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kind(entry) })),
	readFile: (path, position, length) => {
		const bytes = own(fs.readFileSync(path));
		return position === undefined ? bytes : bytes.slice(position, length === undefined ? undefined : position + length);
	},
	writeFile: (path, bytes, options) =>
		fs.writeFileSync(path, bytes, { mode: options?.mode, flag: options?.exclusive ? 'wx' : 'w' }),
	appendFile: (path, bytes, mode) => fs.appendFileSync(path, bytes, { mode }),
	writeAt: (path, bytes, position) => {
		const descriptor = fs.openSync(path, 'r+');
		fs.writeSync(descriptor, bytes, 0, bytes.length, position);
		fs.closeSync(descriptor);
	},
	truncate: (path, size) => fs.truncateSync(path, size),
	mkdir: (path, options) => void fs.mkdirSync(path, options),
	rmdir: (path) => fs.rmdirSync(path),
	unlink: (path) => fs.unlinkSync(path),
	remove: (path, options) => fs.rmSync(path, options),
	rename: (from, to) => fs.renameSync(from, to),
	copy: (from, to, options) => fs.cpSync(from, to, options),
	readlink: (path) => fs.readlinkSync(path),
	symlink: (target, path) => fs.symlinkSync(target, path),
	link: (existing, path) => fs.linkSync(existing, path),
	realpath: (path) => fs.realpathSync(path),
	// The machine has none of the sandbox's own commands.
	programs: () => [],
	chmod: (path, mode) => fs.chmodSync(path, mode),
	utimes: (path, accessed, modified) => fs.utimesSync(path, accessed / 1000, modified / 1000),
	walk: (path, options) => walk(path, options?.skip ?? []),
	read: (descriptor, max) => (descriptor > 2 ? sockets.read(descriptor, max) : readStdin(max)),
	write: (descriptor, bytes) =>
		descriptor > 2 ? sockets.write(descriptor, bytes) : void fs.writeSync(descriptor, bytes),
	// A read of standard input blocks here.
	poll: (wishes, ms) => {
		if (wishes.length === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
		return wishes.map(() => ({ readable: true, room: 65_536 }));
	},
	openFile: (path) => files.open(path),
	lockRange: (...given) => files.lock(...given),
	close: (descriptor) => {
		if (files.close(descriptor)) return;
		if (descriptor > 2) sockets.close(descriptor);
	},
	listen: (...given) => sockets.listen(...given),
	accept: (descriptor) => sockets.accept(descriptor),
	connect: (...given) => sockets.connect(...given),
	shutdown: (descriptor) => sockets.shutdown(descriptor),
	bindDatagrams: (...given) => sockets.bindDatagrams(...given),
	connectDatagrams: (...given) => sockets.connectDatagrams(...given),
	sendDatagram: (...given) => sockets.sendDatagram(...given),
	receiveDatagram: (descriptor) => sockets.receiveDatagram(descriptor),
	datagramSettings: (...given) => sockets.datagramSettings(...given),
	isTerminal: () => false,
	terminalSize: () => ({ columns: 80, rows: 24 }),
	catchSignal: () => undefined,
	exit: (code) => real.exit(code),
	run: ({ argv, cwd, env, input, stdin, stdout, stderr, collects = [] }) => {
		const [file, ...rest] = argv[0].endsWith('node') ? [real.execPath, real.argv[1], bundle, ...argv.slice(1)] : argv;
		const named = (descriptor) => (descriptor === 'null' ? 'ignore' : (descriptor ?? 'pipe'));
		const more = Array.from({ length: Math.max(2, ...collects) - 2 }, (_, at) =>
			collects.includes(at + 3) ? 'pipe' : 'ignore'
		);
		const stdio = [input === undefined ? named(stdin) : 'pipe', named(stdout), named(stderr), ...more];
		const result = spawnSync(file, rest, { cwd, env, input, stdio });
		if (result.error) throw new SyscallError(result.error.code, result.error.message);
		return {
			code: result.status ?? 143,
			signal: result.signal,
			stdout: own(result.stdout ?? new Uint8Array()),
			stderr: own(result.stderr ?? new Uint8Array()),
			timedOut: false,
			...Object.fromEntries(collects.map((number) => [`output${number}`, own(result.output[number])]))
		};
	},
	now: () => Date.now()
};
let sockets, files;
const translated =
	(run) =>
	(...given) => {
		try {
			return run(...given);
		} catch (error) {
			throw error.syscall ? new SyscallError(error.code, error.message) : error;
		}
	};
const sync = Object.fromEntries(Object.entries(calls).map(([name, run]) => [name, translated(run)]));
const { setImmediate: immediate } = globalThis;
/** Like the kernel's answers, which are messages: each arrives in a separate turn. */
const answered =
	(run) =>
	async (...given) => {
		try {
			return await run(...given);
		} finally {
			await new Promise((resolve) => immediate(resolve));
		}
	};
let generation = 0;
const context = {
	pid: real.pid,
	parent: real.ppid,
	umask: 0o022,
	ignored: [],
	argv: ['node', ...args],
	cwd: real.cwd(),
	env: { ...real.env },
	sync,
	async: Object.fromEntries(Object.entries(sync).map(([name, run]) => [name, answered(run)])),
	interrupted: () => false,
	generation: () => generation++,
	onSignal: () => undefined,
	channel: null
};

globalThis.addEventListener = (type, listener) => {
	if (type === 'error') real.on('uncaughtException', (error) => listener({ error, preventDefault() {} }));
	if (type === 'unhandledrejection')
		real.on('unhandledRejection', (reason, promise) => listener({ reason, promise, preventDefault() {} }));
};
(0, eval)(fs.readFileSync(bundle, 'utf8'));
sockets = globalThis.sockets();
files = globalThis.lockedFiles();
globalThis.runProgram(context).then((code) => real.exit(code));
