import { getuid } from 'node:process';
import { socketFilter } from './socket-filter.ts';
import type { Confinement, EnforcedRights } from './types.ts';

/** Capabilities that root needs to access files of other users; none of them can undo a mount. */
const FILE_CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID'];

/**
 * Linux namespaces by bubblewrap: the file system read-only but for what may be written, process ids of their own, so
 * that no other process can be seen or signalled, and no network but a loopback of its own.
 *
 * The command does not die with this process (`--die-with-parent`): its end would be a kill without the grace that a
 * group gets, and what it leaves running would go as soon as it ends, unlike without rights.
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

/** Arguments of bubblewrap for all but the files: devices, processes, network, capabilities, system calls. */
export function namespaceArguments({ network }: Pick<EnforcedRights, 'network'>): string[] {
	const capabilities = getuid?.() === 0 ? FILE_CAPABILITIES.flatMap((name) => ['--cap-add', name]) : [];
	return [
		...['--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--unshare-ipc'],
		// Root writes settings of the kernel there without any capability, e.g. which program a crash starts.
		...['--remount-ro', '/proc', '--ro-bind-try', '/sys', '/sys'],
		...(network ? [] : ['--unshare-net']),
		...['--cap-drop', 'ALL', ...capabilities, '--seccomp', '3']
	];
}
