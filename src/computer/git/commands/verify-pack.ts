import { absolute } from '#computer/abi/paths.ts';
import { sha1 } from '#environment/sha1.ts';
import { toHex } from '../bytes.ts';
import { GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { PackIndex } from '../objects/pack-index.ts';
import { PackReceiver, type PlacedObject } from '../objects/pack-receiver.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions } from '../options.ts';
import { isInRepository } from './config.ts';

const USAGE = 'verify-pack [-v | --verbose] [-s | --stat-only] [--] <pack>.idx...';

interface VerifyHow {
	isVerbose: boolean;
	isStatOnly: boolean;
}

/** `git verify-pack`: verifies packs and lists their objects. */
export const verifyPack: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		verbose: '-v --verbose',
		statOnly: '-s --stat-only',
		format: '--object-format ='
	});
	const named = [...options.operands, ...(options.paths ?? [])];
	if (named.length === 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const how = { isVerbose: options.has('verbose'), isStatOnly: options.has('statOnly') };
	return verifyPacks(git, named, how) ? 0 : 1;
};

/** Verifies packs. Returns whether all are valid. */
export function verifyPacks(git: Invocation, named: readonly string[], how: VerifyHow): boolean {
	const isRight = named.map((name) => {
		const path = `${absolute(name, git.cwd).replace(/\.(?:idx|pack)$/, '')}.pack`;
		const shown = `${name.replace(/\.(?:idx|pack)$/, '')}.pack`;
		try {
			const placed = readThrough(git, path, name);
			if (how.isVerbose || how.isStatOnly) show(git, placed, how);
			if (how.isVerbose && !how.isStatOnly) git.out(`${shown}: ok\n`);
			return true;
		} catch (error) {
			if (!(error instanceof RangeError) && !(error instanceof GitError)) throw error;
			git.err(`${error instanceof GitError ? error.message : `fatal: ${error.message}`}\n`);
			if (how.isVerbose || how.isStatOnly) git.out(`${shown}: bad\n`);
			return false;
		}
	});
	return isRight.every(Boolean);
}

/** Verifies a pack. Returns the fault; null if it is valid. */
export function findPackFault(git: Invocation, path: string): string | null {
	try {
		readThrough(git, path, path);
		return null;
	} catch (error) {
		if (error instanceof RangeError || error instanceof GitError) return error.message.replace(/^fatal: /, '');
		throw error;
	}
}

/** Reads a pack and compares it with its index. @throws RangeError if either is corrupt */
function readThrough(git: Invocation, path: string, name: string): PlacedObject[] {
	const { sync } = git.context;
	const pack = missingAsNull(() => sync.readFile(path));
	if (!pack) throw new GitError(`fatal: cannot open packfile '${name}': No such file or directory`, 1);
	const indexBytes = missingAsNull(() => sync.readFile(path.replace(/pack$/, 'idx')));
	if (!indexBytes) throw new GitError(`fatal: Cannot open existing pack idx file for '${name}'`, 1);
	const repository = isInRepository(git) ? git.repository : null;
	if (toHex(sha1(pack.subarray(0, -20))) !== toHex(pack.subarray(-20)))
		throw new RangeError(`${path} pack checksum mismatch`);
	const receiver = new PackReceiver((id) => repository?.objects.find(id) ?? null);
	receiver.push(pack);
	receiver.finish();
	const placed = receiver.placed();
	const index = new PackIndex(indexBytes);
	const body = indexBytes.subarray(0, indexBytes.length - 20);
	if (toHex(sha1(body)) !== toHex(indexBytes.subarray(-20)))
		throw new RangeError(`Packfile index for ${path} hash mismatch`);
	if (index.packDigest !== toHex(pack.subarray(-20))) throw new RangeError(`packfile ${path} does not match index`);
	if (index.count !== placed.length)
		throw new RangeError(
			`packfile ${path} claims to have ${placed.length} objects while index indicates ${index.count} objects`
		);
	for (const { id, offset } of placed)
		if (index.offsetOf(id) !== offset) throw new RangeError(`the index of ${path} has ${id} at another place`);
	return placed;
}

/** Prints each object, and the number of objects per delta chain length. */
function show(git: Invocation, placed: readonly PlacedObject[], how: VerifyHow): void {
	const chains = new Map<number, number>();
	for (const { id, type, size, stored, offset, delta } of placed) {
		const depth = delta?.depth ?? 0;
		chains.set(depth, (chains.get(depth) ?? 0) + 1);
		if (how.isStatOnly) continue;
		const more = delta ? ` ${delta.depth} ${delta.base}` : '';
		git.out(`${id} ${type.padEnd(6)} ${size} ${stored} ${offset}${more}\n`);
	}
	const objects = (count: number) => `${count} object${count === 1 ? '' : 's'}`;
	const whole = chains.get(0) ?? 0;
	if (whole > 0) git.out(`non delta: ${objects(whole)}\n`);
	for (const [depth, count] of [...chains].sort(([a], [b]) => a - b))
		if (depth > 0) git.out(`chain length = ${depth}: ${objects(count)}\n`);
}
