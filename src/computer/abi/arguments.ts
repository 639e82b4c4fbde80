import type { SyscallName } from './syscalls.ts';
import { errno } from './errno.ts';
import { isSignalName } from './signals.ts';

/** Processes are not trusted: the arguments they send are checked before a handler sees them. */
type Check = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const text: Check = (value) => typeof value === 'string' && !value.includes('\0');
const path: Check = (value) => text(value) && String(value).startsWith('/');
/** Socket address: a path, or a name after a NUL. */
const place: Check = (value) => path(value) || (typeof value === 'string' && /^\0[^\0]+$/.test(value));
const bytes: Check = (value) => value instanceof Uint8Array;
const whole: Check = (value) => Number.isSafeInteger(value);
const count: Check = (value) => whole(value) && Number(value) >= 0;
const time: Check = (value) => Number.isFinite(value);
const boolean: Check = (value) => typeof value === 'boolean';
const signal: Check = (value) => value === 0 || isSignalName(value);
const optional =
	(check: Check): Check =>
	(value) =>
		value === undefined || check(value);
const oneOf =
	(...values: unknown[]): Check =>
	(value) =>
		values.includes(value);
const list =
	(check: Check): Check =>
	(value) =>
		Array.isArray(value) && value.every(check);
const record =
	(fields: Record<string, Check>): Check =>
	(value) =>
		isRecord(value) && Object.entries(fields).every(([name, check]) => check(value[name]));

/** Descriptor numbers above the standard streams. */
const higher: Check = (value) => count(value) && Number(value) > 2 && Number(value) < 1024;
const descriptor: Check = (value) => Array.isArray(value) && value.length === 2 && higher(value[0]) && count(value[1]);
const stream = optional((value) => value === 'null' || count(value));
const environment: Check = (value) => isRecord(value) && Object.values(value).every(text);
const image = {
	argv: (value: unknown) => list(text)(value) && Array.isArray(value) && value.length > 0,
	cwd: path,
	env: environment,
	stdin: stream,
	stdout: stream,
	stderr: stream,
	descriptors: optional(list(descriptor)),
	ignored: optional(list(isSignalName)),
	name: optional(text),
	umask: optional((value) => count(value) && Number(value) <= 0o777)
};
const spawn = { ...image, group: optional(count), channel: optional(count), thread: optional(boolean) };
const run = {
	...spawn,
	input: optional(bytes),
	timeoutMs: optional(time),
	maxBytes: optional(count),
	collects: optional(list(higher))
};
const settings = {
	lines: optional(boolean),
	echo: optional(boolean),
	signals: optional(boolean),
	returnsAreFeeds: optional(boolean),
	feedsReturn: optional(boolean)
};
const datagramSettings = {
	broadcast: optional(boolean),
	loopback: optional(boolean),
	receiveBytes: optional(count),
	join: optional(text),
	leave: optional(text),
	source: optional(text)
};
const header: Check = (value) => list(text)(value) && Array.isArray(value) && value.length === 2;
const recursive = optional(record({ recursive: optional(boolean), force: optional(boolean), mode: optional(count) }));

const signatures: Record<SyscallName, Check[]> = {
	stat: [path],
	lstat: [path],
	statOrNull: [path],
	readdir: [path],
	readFile: [path, optional(count), optional(count)],
	load: [path, list(record({ path: text, mode: count, size: count })), bytes],
	writeFile: [path, bytes, optional(record({ mode: optional(count), exclusive: optional(boolean) }))],
	appendFile: [path, bytes, optional(count)],
	writeAt: [path, bytes, count],
	truncate: [path, count],
	mkdir: [path, recursive],
	rmdir: [path],
	unlink: [path],
	remove: [path, recursive],
	rename: [path, path],
	copy: [path, path, recursive],
	readlink: [path],
	symlink: [text, path],
	mkfifo: [path, optional(count)],
	link: [path, path],
	realpath: [path],
	chmod: [path, count],
	utimes: [path, time, time, optional(boolean)],
	readSmallFiles: [list(path), count],
	changedSince: [whole],
	walk: [path, optional(record({ skip: optional(list(text)), skipDirectories: optional(list(text)) }))],
	fileSystems: [],
	openFile: [path, oneOf('read', 'write', 'append', 'both'), optional(count)],
	opened: [count],
	read: [count, count],
	write: [count, bytes],
	poll: [list(record({ descriptor: count, reads: boolean, writes: boolean })), count],
	lockRange: [count, count, count, oneOf('shared', 'exclusive', 'none', 'test')],
	close: [count],
	pipe: [],
	socketPair: [],
	listen: [text, count],
	listenAt: [place],
	accept: [count],
	connect: [text, count],
	connectTo: [place],
	shutdown: [count, optional(boolean)],
	ports: [],
	bindDatagrams: [oneOf(4, 6), text, count, optional(record({ reuse: optional(boolean), only6: optional(boolean) }))],
	connectDatagrams: [count, optional(text), count],
	sendDatagram: [count, bytes, optional(text), count],
	receiveDatagram: [count],
	datagramSettings: [count, record(datagramSettings)],
	handOver: [count, count],
	takeOver: [count],
	isTerminal: [count],
	terminalSize: [],
	terminalMode: [oneOf('raw', 'cooked')],
	terminalSettings: [record(settings), optional(boolean)],
	unread: [count, bytes],
	endReads: [],
	terminalForeground: [count],
	spawn: [record(spawn)],
	replace: [record(image)],
	waitPid: [whole],
	kill: [whole, signal],
	catchSignal: [isSignalName, boolean, optional(boolean)],
	processes: [],
	exit: [whole],
	leave: [whole, optional(count)],
	run: [record(run)],
	programs: [],
	fetch: [
		record({
			method: text,
			url: text,
			headers: list(header),
			body: (value) => value === null || bytes(value),
			purpose: text
		})
	],
	asset: [text],
	preview: [text],
	now: []
};

/** @throws EINVAL naming the call and the argument */
export function checkArguments(name: SyscallName, args: unknown): asserts args is unknown[] {
	const signature = signatures[name];
	if (!Array.isArray(args)) throw errno('EINVAL', undefined, `${name}: no arguments`);
	for (const [position, check] of signature.entries()) {
		const value: unknown = args[position] ?? undefined;
		if (!check(value)) throw errno('EINVAL', undefined, `${name}: argument ${position + 1} is not what it should be`);
	}
}
