import { Buffer } from 'buffer';
import type { Runtime } from '../runtime/runtime.ts';
import { errorNumbers } from '../runtime/errors.ts';
import { PROCESSORS } from '../runtime/navigator.ts';
import { HOST_NAME } from '#computer/abi/host-name.ts';
import { integer } from '../runtime/validate.ts';
import { signalNumbers } from '../runtime/signals.ts';

/** `node:os`: a small Linux machine. */
export function createOs(runtime: Runtime): Record<string, unknown> {
	const { env } = runtime.process;
	const home = () => env['HOME'] ?? '/home/user';
	const cpu = { model: 'browser', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };
	let priority = 0;
	const module = {
		arch: () => 'x64',
		availableParallelism: () => PROCESSORS,
		constants: bare({
			signals: bare(signalNumbers),
			errno: bare(errorNumbers),
			priority: bare(PRIORITIES),
			UV_UDP_REUSEADDR: 4
		}),
		cpus: () => Array.from({ length: PROCESSORS }, () => ({ ...cpu })),
		endianness: () => 'LE',
		freemem: () => 1024 ** 3,
		getPriority(pid: unknown = 0) {
			processId(pid, 'pid');
			return priority;
		},
		homedir: home,
		hostname: () => env['HOSTNAME'] ?? HOST_NAME,
		loadavg: () => [0, 0, 0],
		machine: () => 'x86_64',
		networkInterfaces: () => ({ lo: [{ ...LOOPBACK }] }),
		platform: () => 'linux',
		release: () => '6.1.0',
		setPriority(...given: unknown[]) {
			const [pid, wanted] = given.length > 1 ? given : [0, given[0]];
			processId(pid, 'pid');
			niceness(wanted, 'priority');
			priority = Number(wanted);
		},
		tmpdir: () => (env['TMPDIR'] || env['TMP'] || env['TEMP'] || '/tmp').replace(/(.)\/$/, '$1'),
		totalmem: () => 2 * 1024 ** 3,
		type: () => 'Linux',
		uptime: () => runtime.process.uptime(),
		userInfo(options?: { encoding?: string } | null) {
			const isBytes = options?.encoding === 'buffer';
			const shown = (text: string) => (isBytes ? Buffer.from(text) : text);
			const [username, homedir, shell] = [env['USER'] ?? 'user', home(), '/bin/sh'].map(shown);
			return { uid: 1000, gid: 1000, username, homedir, shell };
		},
		version: () => '#1 SMP'
	};
	for (const value of Object.values(module)) {
		if (typeof value !== 'function' || value.length > 0) continue;
		const call = value as () => unknown;
		// In a template, a function is replaced by its result.
		Object.defineProperty(call, Symbol.toPrimitive, { value: () => call() });
	}
	for (const [name, value] of Object.entries({ EOL: '\n', devNull: '/dev/null' })) {
		Object.defineProperty(module, name, { value, enumerable: true, configurable: true });
	}
	return module;
}

/** The same values without a prototype. */
const bare = (values: object): object => Object.assign(Object.create(null) as object, values);

const LOOPBACK = {
	address: '127.0.0.1',
	netmask: '255.0.0.0',
	family: 'IPv4',
	mac: '00:00:00:00:00:00',
	internal: true,
	cidr: '127.0.0.1/8'
};

const PRIORITIES = {
	PRIORITY_LOW: 19,
	PRIORITY_BELOW_NORMAL: 10,
	PRIORITY_NORMAL: 0,
	PRIORITY_ABOVE_NORMAL: -7,
	PRIORITY_HIGH: -14,
	PRIORITY_HIGHEST: -20
};

const processId = integer(-(2 ** 31), 2 ** 31 - 1);
const niceness = integer(PRIORITIES.PRIORITY_HIGHEST, PRIORITIES.PRIORITY_LOW);
