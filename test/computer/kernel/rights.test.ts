import { beforeEach, describe, expect, it } from 'vitest';
import type { Rights } from '#environment/contract.ts';
import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { SyscallName } from '#computer/abi/syscalls.ts';
import { createHandlers } from '#computer/kernel/calls/handlers.ts';
import type { Handlers } from '#computer/kernel/calls/handler.ts';
import { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import type { Process } from '#computer/kernel/processes/process.ts';
import { WorkerPool } from '#computer/kernel/processes/worker-pool.ts';
import { hostOf, mayReach } from '#computer/kernel/rights/rights.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { Volume } from '#computer/volume/volume.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

let computer: KernelComputer;
let volume: Volume;
let handlers: Handlers;
let fetched: string[];
let previewed: string[];
beforeEach(() => {
	fetched = [];
	previewed = [];
	const nowhere = () => Promise.reject(new Error('there is nothing outside'));
	volume = createVolume(['bash']);
	const outside = {
		fetch: ({ url }: { url: string }) => {
			fetched.push(url);
			return Promise.resolve({ status: 200, statusText: '', headers: [], body: new Uint8Array(), url });
		},
		asset: nowhere,
		preview: (request: string) => {
			previewed.push(request);
			return Promise.resolve('{}');
		},
		module: nowhere
	};
	computer = new KernelComputer(
		volume,
		new Map([['bash', 'shell']]),
		new WorkerPool('blob', [], nowhere),
		outside,
		null
	);
	handlers = createHandlers(computer);
	for (const directory of ['open', 'shut']) {
		volume.mkdir(`/workspace/${directory}`);
		volume.writeFile(`/workspace/${directory}/file`, bytes('old'));
	}
	volume.symlink('/workspace/shut/file', '/workspace/open/link');
	volume.symlink('/workspace/shut', '/workspace/open/way');
	volume.link('/workspace/shut/file', '/workspace/open/same');
});

const nothing = new NullDescription();

/** Starts a process of a command with these rights; without rights everything is allowed. */
function start(rights?: Partial<Rights>): Process {
	const streams: [NullDescription, NullDescription, NullDescription] = [nothing, nothing, nothing];
	const given = rights ? { rights: { ...READ_ONLY_RIGHTS, ...rights } } : {};
	return computer.table.add({ argv: ['x'], cwd: '/', env: {}, streams, ...given });
}

/** `done`, or the code of the refusal. */
async function outcome(process: Process, name: SyscallName, ...args: unknown[]): Promise<string> {
	try {
		await (handlers[name] as (process: Process, ...args: unknown[]) => unknown)(process, ...args);
		return 'done';
	} catch (error) {
		if (error instanceof SyscallError) return error.code;
		throw error;
	}
}

/** Every call that changes files, applied to a file or a name in the directory. */
const changes = (directory: string): [SyscallName, ...unknown[]][] => [
	['load', directory, [{ path: 'loaded', mode: 0o644, size: 1 }], bytes('x')],
	['writeFile', `${directory}/file`, bytes('new')],
	['writeFile', `${directory}/made`, bytes('new'), { exclusive: true }],
	['appendFile', `${directory}/file`, bytes('new')],
	['writeAt', `${directory}/file`, bytes('new'), 0],
	['truncate', `${directory}/file`, 1],
	['chmod', `${directory}/file`, 0o600],
	['utimes', `${directory}/file`, 1, 1],
	['mkdir', `${directory}/sub`],
	['mkdir', `${directory}/deep/er`, { recursive: true }],
	['rmdir', `${directory}/sub`],
	['mkfifo', `${directory}/fifo`],
	['listenAt', `${directory}/socket`],
	['symlink', 'anywhere', `${directory}/pointer`],
	['link', `${directory}/file`, `${directory}/second`],
	['copy', '/usr/bin/bash', `${directory}/copy`],
	['rename', `${directory}/copy`, `${directory}/renamed`],
	['unlink', `${directory}/renamed`],
	['remove', `${directory}/deep`, { recursive: true }],
	['openFile', `${directory}/file`, 'write'],
	['openFile', `${directory}/file`, 'append']
];

/** A process that another one started. */
const childOf = (parent: Process): Process =>
	computer.table.add({ argv: ['y'], cwd: '/', env: {}, streams: [nothing, nothing, nothing], parent });

describe('a command that may write to one directory', () => {
	const rights = { write: ['/workspace/open'] };

	it.each(changes('/workspace/open').map(([name], index) => [name, index] as const))(
		'makes the change %s (%i) there and nowhere else',
		async (_, index) => {
			const process = start(rights);
			const made = changes('/workspace/open').slice(0, index + 1);
			for (const [name, ...args] of made) expect(await outcome(process, name, ...args), name).toBe('done');
			const before = volume.readdir('/workspace/shut');
			const [name, ...args] = changes('/workspace/shut')[index]!;
			expect(await outcome(process, name, ...args)).toBe('EACCES');
			expect(volume.readdir('/workspace/shut')).toEqual(before);
			expect(new TextDecoder().decode(volume.readFile('/workspace/shut/file'))).toBe('old');
		}
	);

	it('makes sure of a directory that is there, also by a link to it, and makes no other', async () => {
		const process = start(rights);
		volume.symlink('/workspace/open', '/workspace/shut/to');
		for (const path of ['/workspace/shut', '/workspace/shut/to'])
			expect(await outcome(process, 'mkdir', path, { recursive: true })).toBe('done');
		expect(await outcome(process, 'mkdir', '/workspace/shut')).toBe('EACCES');
		expect(await outcome(process, 'mkdir', '/workspace/shut', { recursive: false })).toBe('EACCES');
	});

	it('reads everywhere', async () => {
		const process = start(rights);
		expect(await outcome(process, 'openFile', '/workspace/shut/file', 'read')).toBe('done');
		expect(await outcome(process, 'readFile', '/workspace/shut/file')).toBe('done');
		expect(await outcome(process, 'writeFile', '/dev/null', bytes('x'))).toBe('done');
	});

	it('changes nothing elsewhere through a link, a second name or a directory behind a link', async () => {
		const process = start(rights);
		for (const [name, ...args] of [
			['writeFile', '/workspace/open/link', bytes('x')],
			['writeFile', '/workspace/open/same', bytes('x')],
			['truncate', '/workspace/open/link', 0],
			['chmod', '/workspace/open/same', 0],
			['writeFile', '/workspace/open/way/made', bytes('x')],
			['unlink', '/workspace/open/way/file'],
			['mkdir', '/workspace/open/way/a/b', { recursive: true }],
			['rename', '/workspace/open/file', '/workspace/shut/file'],
			['rename', '/workspace/shut/file', '/workspace/open/moved'],
			['link', '/workspace/shut/file', '/workspace/open/third'],
			['copy', '/workspace/open/file', '/workspace/open/link']
		] as [SyscallName, ...unknown[]][])
			expect(await outcome(process, name, ...args), `${name} ${String(args[0])}`).toBe('EACCES');
		expect(new TextDecoder().decode(volume.readFile('/workspace/shut/file'))).toBe('old');
	});

	it('removes and replaces the link itself, which is its own', async () => {
		const process = start(rights);
		expect(await outcome(process, 'rename', '/workspace/open/link', '/workspace/open/renamed')).toBe('done');
		expect(await outcome(process, 'unlink', '/workspace/open/renamed')).toBe('done');
		expect(await outcome(process, 'writeFile', '/workspace/open/way', bytes('x'), { exclusive: true })).toBe('EEXIST');
	});

	it('may ask for a directory that is there already, with its parents', async () => {
		const process = start(rights);
		expect(await outcome(process, 'mkdir', '/workspace/shut', { recursive: true })).toBe('done');
		expect(await outcome(process, 'mkdir', '/workspace/shut')).toBe('EACCES');
		expect(await outcome(process, 'mkdir', '/workspace/shut/new', { recursive: true })).toBe('EACCES');
		expect(await outcome(process, 'mkdir', '/workspace/shut/file', { recursive: true })).toBe('EACCES');
	});

	it('says which path it was', async () => {
		await expect(async () => {
			await (handlers.writeFile as (...args: unknown[]) => unknown)(start(rights), '/workspace/shut/file', bytes('x'));
		}).rejects.toThrow('/workspace/shut/file: this command has no right to change it');
	});
});

it('lets a command without limits write wherever the volume does', async () => {
	for (const process of [start(), start({ write: 'all' })])
		expect(await outcome(process, 'writeFile', '/workspace/shut/file', bytes('x'))).toBe('done');
	expect(await outcome(start({ write: [] }), 'writeFile', '/workspace/open/file', bytes('x'))).toBe('EACCES');
});

describe('hosts', () => {
	const fetchOf = (url: string) => ({ method: 'GET', url, headers: [], body: null, purpose: 'fetch' });

	it('are reached when they are named, with their port', async () => {
		const process = start({ network: ['a.example', 'b.example:8443'] });
		for (const [url, expected] of [
			['https://a.example/x', 'done'],
			['https://A.EXAMPLE/x', 'done'],
			['https://a.example:444/', 'ECONNREFUSED'],
			['https://b.example:8443/', 'done'],
			['https://b.example/', 'ECONNREFUSED'],
			['https://c.example/?a.example', 'ECONNREFUSED'],
			['https://sub.a.example/', 'ECONNREFUSED'],
			['no address', 'ECONNREFUSED']
		] as const)
			expect(await outcome(process, 'fetch', fetchOf(url)), url).toBe(expected);
		expect(fetched).toEqual(['https://a.example/x', 'https://A.EXAMPLE/x', 'https://b.example:8443/']);
	});

	it('are none without a right, and all with all of them', async () => {
		expect(await outcome(start({}), 'fetch', fetchOf('https://a.example/'))).toBe('ECONNREFUSED');
		expect(await outcome(start({ network: 'all' }), 'fetch', fetchOf('https://a.example/'))).toBe('done');
		expect(await outcome(start(), 'fetch', fetchOf('https://a.example/'))).toBe('done');
		await expect(async () => {
			await (handlers.fetch as (...args: unknown[]) => unknown)(start({}), fetchOf('https://a.example:81/'));
		}).rejects.toThrow('a.example:81: this command has no right to reach it');
	});

	it('are compared as the address has them', () => {
		const rights = { ...READ_ONLY_RIGHTS, network: ['a.example'] };
		expect(mayReach(rights, 'A.Example')).toBe(true);
		expect(mayReach(rights, 'a.example:80')).toBe(false);
		expect(mayReach({ ...rights, network: 'all' }, 'b')).toBe(true);
		expect(hostOf('https://A.example:444/x')).toBe('a.example:444');
		expect(hostOf('nothing')).toBe('nothing');
	});

	it('are the preview too', async () => {
		expect(await outcome(start({}), 'preview', '{}')).toBe('ECONNREFUSED');
		expect(previewed).toEqual([]);
		expect(await outcome(start({ network: ['the preview'] }), 'preview', '{}')).toBe('done');
		expect(previewed).toEqual(['{}']);
	});

	it('are servers of the sandbox that another command started, and not its own', async () => {
		const other = start();
		expect(await outcome(other, 'listen', 'localhost', 8080)).toBe('done');
		const process = start({});
		expect(await outcome(process, 'connect', 'localhost', 8080)).toBe('ECONNREFUSED');
		expect(await outcome(process, 'fetch', fetchOf('http://localhost:8080/'))).toBe('ECONNREFUSED');
		const allowed = start({ network: ['localhost:8080', 'localhost:3000'] });
		expect(await outcome(allowed, 'connect', 'localhost', 8080)).toBe('done');
		expect(await outcome(process, 'listen', 'localhost', 3000)).toBe('ECONNREFUSED');
		expect(await outcome(allowed, 'listen', 'localhost', 3000)).toBe('done');
		const child = childOf(allowed);
		expect(child.rights).toBe(allowed.rights);
		expect(await outcome(child, 'connect', 'localhost', 3000)).toBe('done');
	});

	it('are sockets at files and names that another command listens at, and not its own', async () => {
		for (const place of ['/workspace/socket', '\0socket']) {
			expect(await outcome(start(), 'listenAt', place)).toBe('done');
			expect(await outcome(start({}), 'connectTo', place)).toBe('ECONNREFUSED');
			expect(await outcome(start({ network: [place] }), 'connectTo', place)).toBe('done');
			expect(await outcome(start({ network: 'all' }), 'connectTo', place)).toBe('done');
		}
		const process = start({});
		expect(await outcome(process, 'listenAt', '\0own')).toBe('done');
		expect(await outcome(process, 'connectTo', '\0own')).toBe('done');
		expect(await outcome(process, 'connectTo', '/workspace/none')).toBe('ENOENT');
	});

	it('are servers of the sandbox by each of their names, and its own by whatever port these got', async () => {
		expect(await outcome(start(), 'listen', 'localhost', 8080)).toBe('done');
		const allowed = start({ network: ['localhost:8080', 'localhost:0'] });
		// No program accepts: a call that is not refused waits.
		const waits = new Promise((resolve) => setImmediate(() => resolve('waits')));
		expect(await Promise.race([outcome(allowed, 'fetch', fetchOf('http://127.0.0.1:8080/')), waits])).toBe('waits');
		expect(await outcome(allowed, 'listen', 'localhost', 0)).toBe('done');
		const port = [...Array(65_536).keys()].find((each) => computer.ports.ownerOf(each) === allowed);
		expect(await outcome(allowed, 'connect', 'localhost', port)).toBe('done');
		expect(await outcome(start({ network: ['localhost:0'] }), 'connect', 'localhost', port)).toBe('ECONNREFUSED');
	});
});

describe('datagrams', () => {
	const code = async (process: Process, name: SyscallName, ...args: unknown[]) => outcome(process, name, ...args);
	const bind = async (process: Process, port: number) => {
		const opened = await handlers.bindDatagrams(process, 4, '127.0.0.1', port);
		return opened.descriptor;
	};

	it('reach the sockets of the command itself, and of others only with the right to', async () => {
		await bind(start(), 9);
		const process = start({});
		const own = await bind(process, 0);
		const message = new Uint8Array(1);
		expect(await code(process, 'sendDatagram', own, message, '127.0.0.1', 9)).toBe('ECONNREFUSED');
		expect(await code(process, 'connectDatagrams', own, '127.0.0.1', 9)).toBe('done');
		expect(await code(process, 'sendDatagram', own, message, null, 0)).toBe('ECONNREFUSED');
		expect(await code(process, 'bindDatagrams', 4, '127.0.0.1', 10)).toBe('ECONNREFUSED');
		const allowed = start({ network: ['localhost:9', 'localhost:10'] });
		const other = await bind(allowed, 10);
		expect(await code(allowed, 'sendDatagram', other, message, '127.0.0.1', 9)).toBe('done');
		expect(await code(allowed, 'sendDatagram', other, message, '127.0.0.1', 10)).toBe('done');
	});
});

describe('descriptors', () => {
	it('are handed over within a command, once, and to no other', async () => {
		const process = start();
		const child = childOf(process);
		const { descriptor } = await handlers.listen(process, 'localhost', 8080);
		const number = await handlers.handOver(process, descriptor, child.pid);
		await handlers.close(process, descriptor);
		expect(computer.ports.listens(8080)).toBe(true);
		expect(await outcome(process, 'takeOver', number)).toBe('EINVAL');
		const taken = await handlers.takeOver(child, number);
		expect(await outcome(child, 'takeOver', number)).toBe('EINVAL');
		expect(await outcome(child, 'handOver', taken, start().pid)).toBe('EPERM');
		expect(await outcome(child, 'handOver', taken, 9999)).toBe('ESRCH');
		await handlers.close(child, taken);
		expect(computer.ports.listens(8080)).toBe(false);
	});

	it('that were not taken are released with the process that they were for', async () => {
		const process = start();
		const { descriptor } = await handlers.listen(process, 'localhost', 8080);
		for (let count = 0; count < 1024; count++) await handlers.handOver(process, descriptor, process.pid);
		expect(await outcome(process, 'handOver', descriptor, process.pid)).toBe('EMFILE');
		computer.table.end(process, { code: 0, signal: null });
		expect(computer.ports.listens(8080)).toBe(false);
	});
});

describe('signals', () => {
	it('reach what the command itself started, and may always ask whether a process is there', async () => {
		const process = start({});
		const child = childOf(process);
		const other = start();
		expect(await outcome(process, 'kill', other.pid, 'SIGTERM')).toBe('EPERM');
		expect(other.ended).toBeFalsy();
		expect(await outcome(process, 'kill', other.pid, 0)).toBe('done');
		expect(await outcome(process, 'kill', child.pid, 'SIGKILL')).toBe('done');
		expect(await outcome(start({ signal: 'all' }), 'kill', other.pid, 'SIGTERM')).toBe('done');
	});

	it('say whose process it was', async () => {
		const other = start();
		await expect(async () => {
			await (handlers.kill as (...args: unknown[]) => unknown)(start({}), other.pid, 'SIGTERM');
		}).rejects.toThrow(`process ${other.pid} was not started by this command`);
	});
});
