import { getuid } from 'node:process';
import { socketFilter } from './socket-filter.ts';
import type { Confinement, EnforcedRights } from './types.ts';

/** Capabilities that root needs to access files of other users; none of them can undo a mount. */
const FILE_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID'];

/**
 * Confines with Linux namespaces, using bubblewrap: a read-only file system except for what may be written, separate
 * process ids, so that no other process can be seen or signaled, and no network except a separate loopback.
 *
 * The command does not die with this process (`--die-with-parent`): it would be killed without the grace period of a
 * process group, and processes it leaves running would end with it, which is not the case with all rights.
 */
export class Bubblewrap implements Confinement {
	constructor(private readonly program: string) {}

	wrap(words: readonly string[], rights: EnforcedRights, cwd: string): ReturnType<Confinement['wrap']> {
		const filter = socketFilter();
		if (filter === undefined) return undefined;
		const binds = rights.write === 'all' ? [] : rights.write.flatMap((path) => ['--bind', path, path]);
		const args = [
			rights.write === 'all' ? '--bind' : '--ro-bind',
			'/',
			'/',
			...binds,
			...namespaceArguments(rights),
			'--chdir',
			cwd,
			'--',
			...words
		];
		return { program: this.program, args, filter };
	}
}

/** Arguments of bubblewrap for everything except files: devices, processes, network, capabilities, system calls. */
export function namespaceArguments({ network }: Pick<EnforcedRights, 'network'>): string[] {
	const capabilities = getuid?.() === 0 ? FILE_CAPABILITIES.flatMap((name) => ['--cap-add', name]) : [];
	return [
		...['--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--unshare-ipc'],
		// In /proc, root can change kernel settings without any capability, e.g. which program runs after a crash.
		...['--remount-ro', '/proc', '--ro-bind-try', '/sys', '/sys'],
		...(network ? [] : ['--unshare-net']),
		...['--cap-drop', 'ALL', ...capabilities, '--seccomp', '3']
	];
}
