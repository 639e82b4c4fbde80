import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { env, execPath, getuid, seteuid } from 'node:process';
import type { ExecutionEnvironment } from '#environment/contract.ts';

export const NOBODY = 65_534;
const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Runs the work as another user: modes do not restrict root. */
export async function asOrdinaryUser<T>(environment: ExecutionEnvironment, work: () => Promise<T>): Promise<T> {
	if (getuid?.() !== 0 || !seteuid) return work();
	await chmod(environment.workingDirectory().replace(/\/workspace$/, ''), 0o755);
	seteuid(NOBODY);
	try {
		return await work();
	} finally {
		seteuid(0);
	}
}

/**
 * Runs a TypeScript program as a user who is not root, and returns its output.
 *
 * @param script may import from `#root/…`, the root of the project
 * @param variables variables in addition to `PATH`; `HOME` is a separate directory unless set here
 * @param user used if this process is root; otherwise the user of this process
 * @param mounts directories where another file system is mounted for this program only; requires root
 */
export function runAsOrdinaryUser(
	script: string,
	variables: Record<string, string> = {},
	user = NOBODY,
	mounts: readonly string[] = []
): string {
	const directory = mkdtempSync(path.join(tmpdir(), 'sandglass-ordinary-'));
	try {
		const file = path.join(directory, 'script.ts');
		writeFileSync(file, script.replaceAll('#root/', `${ROOT}/`), { mode: 0o644 });
		execFileSync('chmod', ['755', directory]);
		const jiti = path.join(ROOT, 'node_modules/jiti/lib/jiti-cli.mjs');
		const as = getuid?.() === 0 ? ['setpriv', '--reuid', `${user}`, '--regid', `${user}`, '--clear-groups'] : [];
		const mounting =
			'count=$1; shift; while [ "$count" -gt 0 ]; do mount -t tmpfs none "$1"; shift; count=$((count - 1)); done; exec "$@"';
		const inNamespace = ['unshare', '--mount', '--propagation', 'private', 'sh', '-ec', mounting, 'sh'];
		const before = mounts.length === 0 ? [] : [...inNamespace, `${mounts.length}`, ...mounts];
		const [program = '', ...args] = [...before, ...as, execPath, jiti, file];
		return execFileSync(program, args, {
			encoding: 'utf8',
			env: { PATH: env['PATH'], HOME: directory, JITI_FS_CACHE: 'false', ...variables }
		});
	} finally {
		rmSync(directory, { recursive: true });
	}
}
