import type { EnforcedRights, Confinement } from './types.ts';
import { access, lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platform } from 'node:process';
import type { Rights } from '../../contract.ts';
import { EnvironmentError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';
import { Command } from '../command.ts';
import { toReal, type PathRules } from '../paths.ts';
import { Bubblewrap } from './bubblewrap.ts';
import { Seatbelt } from './seatbelt.ts';

/** Program that confines, by platform. */
export const DEFAULT_PROGRAM: string | null =
	platform === 'linux' ? 'bwrap' : platform === 'darwin' ? '/usr/bin/sandbox-exec' : null;

const found = new Map<string, Promise<Confinement | undefined>>();

/**
 * Finds the confinement of this machine, which is tested once by running it; `undefined` if nothing can enforce rights.
 */
export function findConfinement(program = DEFAULT_PROGRAM): Promise<Confinement | undefined> {
	if (program === null) return Promise.resolve(undefined);
	const known = found.get(program) ?? tryOut(platform === 'darwin' ? new Seatbelt(program) : new Bubblewrap(program));
	found.set(program, known);
	return known;
}

/** Runs a command that tries to write: the command must run, and the write must fail. */
async function tryOut(confinement: Confinement): Promise<Confinement | undefined> {
	const directory = await realpath(await mkdtemp(join(tmpdir(), 'sandglass-confinement-')));
	try {
		const written = join(directory, 'written');
		const script = `echo x 2>/dev/null > ${shellWord(written)}; echo ran`;
		const wrapped = confinement.wrap(['/bin/sh', '-c', script], { write: [], network: false }, directory);
		if (!wrapped) return undefined;
		const command = await Command.start({ ...wrapped, cwd: directory, env: {} }, { timeoutMs: 10_000 });
		await command.closeInput();
		const { stdout, exitCode } = await command.exited;
		const hasWritten = await access(written).then(
			() => true,
			() => false
		);
		return exitCode === 0 && stdout === 'ran\n' && !hasWritten ? confinement : undefined;
	} catch {
		// It is not installed.
		return undefined;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

/**
 * Converts the contract's rights to those that are enforced here.
 *
 * Naming a link gives no right to its target. Naming a path that does not exist gives none either: creating it requires
 * the right to its directory. A named file can be written but not replaced or removed.
 *
 * @throws EnvironmentError `EUNAVAILABLE` for a list of hosts, which no namespace can enforce; `EACCES` for a path
 * outside the roots
 */
export async function enforcedRights(rights: Rights, rules: PathRules): Promise<EnforcedRights> {
	if (rights.network !== 'all' && rights.network.length > 0)
		throw new EnvironmentError('EUNAVAILABLE', 'A command on this machine is held to all hosts or none, not to some.');
	return { write: await writable(rights.write, rules), network: rights.network === 'all' };
}

async function writable(paths: Rights['write'], rules: PathRules): Promise<EnforcedRights['write']> {
	if (paths === 'all') return 'all';
	const real: string[] = [];
	for (const path of paths) {
		const place = await toReal(rules, path, false);
		const stats = await lstat(place).catch(() => undefined);
		if (stats?.isFile() || stats?.isDirectory()) real.push(place);
	}
	// Outer directories first, or they would cover what is bound inside them.
	return real.sort();
}
