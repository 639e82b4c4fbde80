import type { Runtime } from '../runtime/runtime.ts';
import { errorNumbers } from '../runtime/errors.ts';
import { signalNumbers } from '../runtime/signals.ts';

/** Read before the program's scope loses `navigator`, which Node 20 does not have. */
const processors = globalThis.navigator?.hardwareConcurrency || 1;

/** `node:os`: a small Linux machine. */
export function createOs(runtime: Runtime): Record<string, unknown> {
	const { env } = runtime.process;
	const home = () => env['HOME'] ?? '/home/user';
	const cpu = { model: 'browser', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };
	return {
		EOL: '\n',
		arch: () => 'x64',
		availableParallelism: () => processors,
		constants: { signals: signalNumbers, errno: errorNumbers, priority: {}, UV_UDP_REUSEADDR: 4 },
		cpus: () => Array.from({ length: processors }, () => ({ ...cpu })),
		devNull: '/dev/null',
		endianness: () => 'LE',
		freemem: () => 1024 ** 3,
		getPriority: () => 0,
		homedir: home,
		hostname: () => env['HOSTNAME'] ?? 'sandglass',
		loadavg: () => [0, 0, 0],
		machine: () => 'x86_64',
		networkInterfaces: () => ({}),
		platform: () => 'linux',
		release: () => '6.1.0',
		setPriority: () => undefined,
		tmpdir: () => (env['TMPDIR'] ?? '/tmp').replace(/(.)\/$/, '$1'),
		totalmem: () => 2 * 1024 ** 3,
		type: () => 'Linux',
		uptime: () => runtime.process.uptime(),
		userInfo: () => ({ uid: 1000, gid: 1000, username: env['USER'] ?? 'user', homedir: home(), shell: '/bin/sh' }),
		version: () => '#1 SMP'
	};
}
