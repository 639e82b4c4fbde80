import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { backUp, type Backup, backupOf } from '../../files/backup.ts';
import { lstatOrNull } from '../../files/same-file.ts';
import { Options } from '../../options.ts';
import { placeOf } from '../extraction.ts';
import type { Entry } from './entry.ts';
import type { Run } from './run.ts';

/** Metadata that a directory gets after all its contents are extracted. */
interface Delayed {
	path: string;
	mode: number;
	modifiedMs: number;
}

/** Extracts members; none leaves the target directory. */
export class Extraction {
	readonly #delayed: Delayed[] = [];
	readonly #backup: Backup | null;
	readonly #keeps: 'old' | 'skip' | 'newer' | 'overwrite' | null;
	/** Paths of the files created by this run. */
	readonly #made = new Set<string>();
	#saidAbsolute = false;

	constructor(private readonly run: Run) {
		const given = run.options.given.map(({ name, value }) => ({ name: name === 'suffix' ? 'S' : name, value }));
		this.#backup = backupOf(run.call, new Options(given, []));
		const last = run.options.last('k', 'skip-old-files', 'keep-newer-files', 'overwrite', 'U');
		const manners = {
			k: 'old',
			'skip-old-files': 'skip',
			'keep-newer-files': 'newer',
			overwrite: 'overwrite'
		} as const;
		this.#keeps = last === undefined || last === 'U' ? null : manners[last as keyof typeof manners];
	}

	/** Extracts a member below a directory, and prints its name. */
	async extract(entry: Entry, base: string, show: (name: string) => Promise<void>): Promise<void> {
		const { run } = this;
		const { options } = run;
		const transformed = run.transformed(entry.name);
		if (transformed === null) return;
		const name = await this.#safeName(transformed);
		if (name === null) return;
		await show(transformed);
		if (options.has('O')) {
			if (entry.type === '0') await run.shell.descriptors.require(1).write(entry.content);
			return;
		}
		if (options.has('to-command')) {
			await this.#toCommand(entry, options.get('to-command') ?? '');
			return;
		}
		try {
			const path = this.#place(name, base);
			if (path === null) return;
			await this.#make(entry, path, base, name);
			this.#made.add(path);
		} catch (error) {
			const verb = { '1': 'hard link', '2': 'create symlink', '5': 'mkdir', D: 'mkdir' }[entry.type] ?? 'open';
			const to = entry.type === '1' ? ` to '${run.shown(entry.target)}'` : '';
			await run.fail(`${run.shown(name)}: Cannot ${verb}${to}: ${reason(error)}`);
		}
	}

	/** Returns a name without a prefix that leads out of the directory, or null if it contains `..`. */
	async #safeName(name: string): Promise<string | null> {
		const { run } = this;
		if (run.keepsAbsolute) return name;
		if (name.split('/').includes('..')) {
			await run.fail(`${run.shown(name)}: Member name contains '..', skipping`);
			return null;
		}
		if (!name.startsWith('/')) return name;
		if (!this.#saidAbsolute) await run.warn("Removing leading `/' from member names");
		this.#saidAbsolute = true;
		return name.replace(/^\/+/, '') || '.';
	}

	/** Returns the path of a member and creates its parents; null for the directory itself. */
	#place(name: string, base: string): string | null {
		if (this.run.keepsAbsolute) {
			const path = name.startsWith('/') ? name : `${base}/${name}`;
			return path.replace(/(?<=.)\/+$/, '');
		}
		const parts = name.split('/').filter((part) => part && part !== '.');
		if (parts.length === 0) return base;
		return placeOf(this.run.sync, base, parts);
	}

	async #make(entry: Entry, path: string, base: string, name: string): Promise<void> {
		if (entry.type === '5' || entry.type === 'D') {
			await this.#directory(entry, path, name);
			if (entry.listing && this.run.options.has('g', 'G')) await this.#restore(entry.listing, path, base);
			return;
		}
		if (!(await this.#makeRoom(entry, path, name))) return;
		const { sync, shell, options } = this.run;
		if (entry.type === '2') {
			sync.symlink(entry.target, path);
			sync.utimes(path, entry.modifiedMs, entry.modifiedMs, false);
			return;
		}
		if (entry.type === '1') {
			this.#link(entry, path, base);
			return;
		}
		const mode = options.has('p') ? entry.mode : entry.mode & 0o777 & ~shell.umask;
		if (entry.type === '6') {
			sync.mkfifo(path, mode);
			return;
		}
		sync.writeFile(path, entry.content.slice());
		sync.chmod(path, mode);
		if (!options.has('m')) sync.utimes(path, entry.modifiedMs, entry.modifiedMs);
	}

	#link({ target }: Entry, path: string, base: string): void {
		const { sync } = this.run;
		const parts = target.split('/').filter((part) => part && part !== '.');
		if (parts.includes('..') && !this.run.keepsAbsolute) throw new Error(`${target}: hard link target contains '..'`);
		const from = this.run.keepsAbsolute && target.startsWith('/') ? target : placeOf(sync, base, parts);
		if (lstatOrNull(sync, from)?.inode === lstatOrNull(sync, path)?.inode && lstatOrNull(sync, path)) return;
		if (lstatOrNull(sync, path)) sync.unlink(path);
		sync.link(from, path);
	}

	/** Removes an existing file that is in the way. Returns false if it stays. */
	async #makeRoom(entry: Entry, path: string, name: string): Promise<boolean> {
		const { sync, options } = this.run;
		const there = lstatOrNull(sync, path);
		if (!there) return true;
		if (this.#keeps === 'old') throw Object.assign(new Error(), { code: 'EEXIST' });
		if (this.#keeps === 'skip') return false;
		if (this.#keeps === 'newer' && there.modifiedMs >= entry.modifiedMs) {
			await this.run.warn(`Current '${this.run.shown(name)}' is newer or same age`);
			return false;
		}
		if (this.#backup && there.kind !== 'directory' && !this.#made.has(path)) {
			const end = backUp(sync, path, this.#backup);
			const text = `Renaming '${this.run.shown(name)}' to '${this.run.shown(name + end)}'`;
			if (this.run.verbosity > 0) await this.run.say(text);
			return true;
		}
		if (there.kind === 'directory') {
			if (options.has('recursive-unlink')) sync.remove(path, { recursive: true });
			else sync.rmdir(path);
			return true;
		}
		if (entry.type === '1') return true;
		const follows = this.#keeps === 'overwrite' && entry.type === '0';
		if (follows && (there.kind === 'file' || (options.has('h') && sync.statOrNull(path)?.kind === 'file'))) return true;
		sync.unlink(path);
		return true;
	}

	async #directory(entry: Entry, path: string, name: string): Promise<void> {
		const { sync, shell, options } = this.run;
		const mode = options.has('p') ? entry.mode : entry.mode & 0o777 & ~shell.umask;
		const there = lstatOrNull(sync, path);
		const isKeptLink =
			there?.kind === 'symlink' && options.has('keep-directory-symlink') && sync.statOrNull(path)?.kind === 'directory';
		if (there?.kind === 'directory' || isKeptLink) {
			if (this.#keeps === 'old' || this.#keeps === 'skip' || options.has('no-overwrite-dir') || isKeptLink) return;
		} else {
			if (there && !(await this.#makeRoom(entry, path, name))) return;
			sync.mkdir(path, { mode: mode | 0o700 });
		}
		this.#delayed.push({ path, mode, modifiedMs: entry.modifiedMs });
	}

	/** Makes a directory match a listing: renames first, then removes what is not listed. */
	async #restore(listing: Uint8Array, path: string, base: string): Promise<void> {
		const { sync } = this.run;
		const lines = decode(listing).split('\0').filter(Boolean);
		const inside = (name: string) =>
			placeOf(
				sync,
				base,
				name.split('/').filter((part) => part && part !== '.' && part !== '..')
			);
		let [from, temporary] = ['', ''];
		for (const line of lines) {
			const name = line.slice(1);
			if (line.startsWith('X')) temporary = `${inside(name)}/tar.${Math.random().toString(36).slice(2)}`;
			else if (line.startsWith('R')) from = name === '' ? temporary : inside(name);
			else if (line.startsWith('T')) {
				const to = name === '' ? temporary : inside(name);
				if (lstatOrNull(sync, from) && !lstatOrNull(sync, to)) sync.rename(from, to);
			}
		}
		const kinds = new Map(lines.filter((line) => /^[YND]/.test(line)).map((line) => [line.slice(1), line[0]]));
		for (const { name, kind } of sync.readdir(path)) {
			const listed = kinds.get(name);
			const isOther = listed !== undefined && (listed === 'D') !== (kind === 'directory');
			if (listed !== undefined && !isOther) continue;
			if (this.run.verbosity > 1)
				await this.run.say(`Deleting '${this.run.shown(`${path.slice(base.length + 1)}/${name}`)}'`);
			sync.remove(`${path}/${name}`, { recursive: true });
		}
	}

	async #toCommand(entry: Entry, command: string): Promise<void> {
		if (entry.type !== '0') return;
		const { shell, sync, options } = this.run;
		const result = sync.run({
			argv: ['bash', '-c', command],
			cwd: shell.cwd,
			env: {
				...shell.environment(),
				...{
					TAR_FILENAME: entry.name,
					TAR_REALNAME: entry.name,
					TAR_FILETYPE: 'f',
					TAR_SIZE: String(entry.content.length)
				},
				...{ TAR_MODE: `0${entry.mode.toString(8)}`, TAR_UNAME: entry.user, TAR_GNAME: entry.group },
				...{ TAR_UID: String(entry.userId), TAR_GID: String(entry.groupId) }
			},
			input: entry.content
		});
		await shell.descriptors.get(1)?.write(result.stdout);
		await shell.descriptors.get(2)?.write(result.stderr);
		if (result.code !== 0 && !options.has('ignore-command-error'))
			await this.run.fail(`${result.code}: Child returned status ${result.code}`);
	}

	/** Sets the modes and times of directories, deepest first. */
	async finish(): Promise<void> {
		const { sync, options } = this.run;
		for (const { path, mode, modifiedMs } of this.#delayed.reverse()) {
			if (sync.statOrNull(path)?.kind !== 'directory') continue;
			sync.chmod(path, mode);
			if (!options.has('m')) sync.utimes(path, modifiedMs, modifiedMs);
		}
	}
}
