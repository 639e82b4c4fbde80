import * as fs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failure, isMissing, toReal } from './paths.mjs';
import { entryAt, entryOf, walk, withParents } from './tree.mjs';

/** Operations for the page, by name. Each takes the path rules and its own arguments. */
export const operations = {
	/** Returns a path through which the page's API, which sees nothing above `start`, can read a file. */
	async open({ rules, path, start, spare }) {
		const real = await toReal(rules, path, true);
		if ((await fs.stat(real)).isDirectory()) throw failure('EISDIR', path);
		if (real.startsWith(`${start}/`)) return real;
		await fs.copyFile(real, spare);
		return spare;
	},

	async find({ rules, path, follow }) {
		const real = await toReal(rules, path, follow);
		return { real, entry: await entryOf(real) };
	},

	async exists({ rules, path }) {
		return (await entryAt(await toReal(rules, path, true))) !== undefined;
	},

	/** Entry at a real path; `null` if there is none. */
	async entry({ path }) {
		return (await entryAt(path)) ?? null;
	},

	async list({ rules, path, depth }) {
		return walk(await toReal(rules, path, true), depth);
	},

	/** Like `list` with unlimited depth; empty if there is no such directory. */
	async walk({ path }) {
		return walk(path).catch((error) => {
			if (isMissing(error)) return [];
			throw error;
		});
	},

	/** Moves files that the page has written to temporary paths to their destinations, each atomically. */
	async place({ rules, files }) {
		const placed = [];
		for (const { path, from, target, mode } of files) {
			// Loaded entries, which have a mode or a target, replace a link and are never written through one.
			const isLoaded = target !== undefined || mode !== undefined;
			const real = await toReal(rules, path, !isLoaded);
			if (isLoaded && real !== resolve(path)) throw failure('EACCES', path);
			await makeParents(real);
			if (target === undefined) await moveIn(from, real, mode);
			else {
				await fs.rm(real, { recursive: true, force: true });
				await fs.symlink(target, real);
			}
			placed.push({ real, after: await withParents(real) });
		}
		return placed;
	},

	async remove({ rules, path, recursive }) {
		const real = await toReal(rules, path, false);
		const entry = await entryOf(real);
		if (entry.kind !== 'directory') await fs.unlink(real);
		else if (recursive) await fs.rm(real, { recursive: true });
		else await fs.rmdir(real);
		return { real, entry };
	},

	async rename({ rules, path, to }) {
		const real = await toReal(rules, path, false);
		const target = await toReal(rules, to, false);
		const entry = await entryOf(real);
		await makeParents(target);
		await fs.rename(real, target);
		return { real, to: target, entry, after: await withParents(target) };
	},

	async mkdir({ rules, path }) {
		const real = await toReal(rules, path, true);
		const isNew = (await entryAt(real))?.kind !== 'directory';
		if (isNew) {
			await makeParents(real);
			await fs.mkdir(real);
		}
		return { real, isNew, after: await withParents(real) };
	},

	async readlink({ rules, path }) {
		return fs.readlink(await toReal(rules, path, false));
	},

	/** Target of a link at a real path; `null` if it is gone. */
	async target({ path }) {
		return fs.readlink(path).catch((error) => {
			if (isMissing(error) || error.code === 'EINVAL') return null;
			throw error;
		});
	},

	async symlink({ rules, path, target }) {
		const real = await toReal(rules, path, false);
		await makeParents(real);
		await fs.symlink(target, real);
		return { real, after: await withParents(real) };
	},

	async chmod({ rules, path, mode }) {
		const real = await toReal(rules, path, true);
		await fs.chmod(real, mode & 0o777);
		return { real, after: await withParents(real) };
	},

	/** Removes real paths below `root`, whatever they are, and creates the directories. */
	async reshape({ root, remove, directories }) {
		for (const path of remove) await fs.rm(join(root, path), { recursive: true, force: true });
		for (const path of directories) await fs.mkdir(join(root, path), { recursive: true });
	},

	async copy({ from, to }) {
		await fs.cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
	}
};

async function makeParents(path) {
	try {
		await fs.mkdir(dirname(path), { recursive: true });
	} catch (error) {
		// Node reports EEXIST if a file is where the directory should be.
		throw error?.code === 'EEXIST' ? failure('ENOTDIR', path) : error;
	}
}

/** @param {number | undefined} mode permission bits; by default those of the file it replaces */
async function moveIn(from, real, mode) {
	const old = await entryAt(real);
	if (old?.kind === 'directory') throw failure('EISDIR', real);
	await fs.chmod(from, mode ?? old?.mode ?? 0o644);
	try {
		await fs.rename(from, real);
	} catch (error) {
		if (error?.code !== 'EXDEV') throw error;
		const near = `${real}.sandglass-write`;
		await fs.copyFile(from, near);
		await fs.rename(near, real);
		await fs.rm(from);
	}
}
