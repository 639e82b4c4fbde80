import { absolute, dirname } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { failure, fatal } from '../errors.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { wildmatch } from '../worktree/wildmatch.ts';
import { normalizeKey, parseConfig, type Setting } from './config-file.ts';
import { copySection, editConfig, removeSection, renameSection } from './edit-config.ts';

export type Scope = 'system' | 'global' | 'local' | 'worktree' | 'command';

/** A file of settings. */
export interface ConfigFile {
	scope: Scope;
	path: string;
}

/** A setting with where it is from. */
export interface FoundSetting extends Setting {
	scope: Scope;
	/** Path of its file; null for one of the command line. */
	path: string | null;
}

/** Files that may include each other, at most. */
const MAX_INCLUDES = 10;

/** Files of settings that are not a repository's, in the order in which they count more. */
export function userFiles(env: Readonly<Record<string, string>>): ConfigFile[] {
	const home = env['HOME'] ?? '/home/user';
	const isSystemLeftOut = /^(?:1|true|yes|on)$/i.test(env['GIT_CONFIG_NOSYSTEM'] ?? '');
	const system = isSystemLeftOut ? undefined : env['GIT_CONFIG_SYSTEM'];
	const given = env['GIT_CONFIG_GLOBAL'];
	const users = given === undefined ? [xdgConfig(env), `${home}/.gitconfig`] : given === '' ? [] : [given];
	return [
		...(system ? [{ scope: 'system' as const, path: system }] : []),
		...users.map((path) => ({ scope: 'global' as const, path }))
	];
}

const xdgConfig = (env: Readonly<Record<string, string>>): string =>
	`${env['XDG_CONFIG_HOME'] || `${env['HOME'] ?? '/home/user'}/.config`}/git/config`;

/** State that conditions of `includeIf` are about. */
export interface IncludeContext {
	gitDir: string | null;
	branch: () => string | null;
	cwd: string;
	home: string;
}

/**
 * All settings that hold: the system's, the user's, the repository's, then what `-c` gave. Like git's, they are read
 * once a command: what another program (a hook, an editor) writes meanwhile counts for the next one.
 */
export class Config {
	/** Settings as read first, and their values by key; null until then and behind a write of this object's own. */
	#settings: readonly FoundSetting[] | null = null;
	#values: ReadonlyMap<string, readonly string[]> | null = null;

	/** @param overrides from `-c key=value`, last one wins */
	constructor(
		private readonly files: SyncSyscalls,
		private readonly sources: readonly ConfigFile[],
		private readonly overrides: readonly Setting[],
		private readonly context: IncludeContext
	) {}

	/** Settings with their places, in the order in which they count more. */
	all(): readonly FoundSetting[] {
		this.#settings ??= this.found(true);
		return this.#settings;
	}

	/** The same, read now. @param includes whether the files that settings include count, too */
	found(includes: boolean): FoundSetting[] {
		const found = this.sources.flatMap(({ path, scope }) => this.read(path, scope, includes));
		const given = this.overrides.flatMap((setting): FoundSetting[] => {
			const own = { ...setting, scope: 'command' as const, path: null };
			const included = includes ? this.#included(setting, '') : null;
			return included === null ? [own] : [own, ...this.settingsOf(this.#text(included), included, 'command', true, 1)];
		});
		return [...found, ...given];
	}

	/** Values of all settings by their normalized keys, in the order in which they count more. */
	#byKey(): ReadonlyMap<string, readonly string[]> {
		if (this.#values !== null) return this.#values;
		const values = new Map<string, string[]>();
		for (const { key, value } of this.all()) {
			const name = normalizeKey(key);
			const others = values.get(name);
			if (others) others.push(value);
			else values.set(name, [value]);
		}
		this.#values = values;
		return values;
	}

	/** Settings of one file, and of those that it includes unless that is not wanted. */
	read(path: string, scope: Scope, includes = true): FoundSetting[] {
		return this.settingsOf(this.#text(path), path, scope, includes);
	}

	/** The same of a text. @param path of the file that paths in it are relative to */
	settingsOf(text: string, path: string, scope: Scope, includes: boolean, depth = 0): FoundSetting[] {
		return parseConfig(text).flatMap((setting) => {
			const own = { ...setting, scope, path };
			const included = includes ? this.#included(setting, path) : null;
			if (included !== null && depth >= MAX_INCLUDES)
				throw fatal(
					`exceeded maximum include depth (${MAX_INCLUDES}) while including\n\t${included}\nfrom\n\t${path}\n` +
						'This might be due to circular includes.'
				);
			return included === null
				? [own]
				: [own, ...this.settingsOf(this.#text(included), included, scope, true, depth + 1)];
		});
	}

	/** Path of the file that a setting includes, if it does. */
	#included({ key, value, isBare }: Setting, from: string): string | null {
		const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
		if (isBare || (key !== 'include.path' && (condition === undefined || !this.#holds(condition, from)))) return null;
		const path = value.replace(/^~(?=\/)/, this.context.home);
		if (path.startsWith('/')) return path;
		if (from === '') throw fatal('relative config includes must come from files');
		// As git shows it: the directory stays as it was written.
		return from.includes('/') ? `${dirname(from)}/${path}` : path;
	}

	/** Tells whether a condition of `includeIf` holds. */
	#holds(condition: string, from: string): boolean {
		const [, kind, pattern = ''] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? [];
		if (kind === 'onbranch') {
			const branch = this.context.branch();
			return branch !== null && wildmatch(pattern.endsWith('/') ? `${pattern}**` : pattern).test(branch);
		}
		const { gitDir, home } = this.context;
		if (kind === undefined || gitDir === null) return false;
		let path = pattern.replace(/^~(?=\/)/, home).replace(/^\.(?=\/)/, dirname(absolute(from, this.context.cwd)));
		if (!path.startsWith('/')) path = `**/${path}`;
		if (path.endsWith('/')) path += '**';
		const isEqual = kind === 'gitdir/i' ? new RegExp(wildmatch(path).source, 'i') : wildmatch(path);
		return isEqual.test(gitDir) || isEqual.test(`${gitDir}/`);
	}

	get(key: string): string | undefined {
		return this.#byKey().get(normalizeKey(key))?.at(-1);
	}

	values(key: string): readonly string[] {
		return this.#byKey().get(normalizeKey(key)) ?? [];
	}

	flag(key: string, otherwise: boolean): boolean {
		const value = this.get(key)?.toLowerCase();
		return value === undefined ? otherwise : value === 'true' || value === 'yes' || value === 'on' || value === '1';
	}

	/** Names between a section and a setting: the remotes of `remote`, the branches of `branch`. */
	subsections(section: string): string[] {
		const pattern = new RegExp(`^${section}\\.(.+)\\.[^.]+$`);
		return [...new Set(this.all().flatMap(({ key }) => pattern.exec(key)?.[1] ?? []))];
	}

	/** @param value null takes the setting out */
	set(path: string, key: string, value: string | null, add = false): void {
		this.#write(path, editConfig(this.#text(path), key, value, add));
	}

	/** Renames all sections of a name. */
	moveSection(path: string, from: string, to: string): void {
		const text = renameSection(this.#text(path), from, to);
		if (text !== null) this.#write(path, text);
	}

	/** Gives another name the settings of a section, which stays. */
	copySection(path: string, from: string, to: string): void {
		const text = copySection(this.#text(path), from, to);
		if (text !== null) this.#write(path, text);
	}

	removeSection(path: string, section: string): void {
		this.#write(path, removeSection(this.#text(path), section));
	}

	/** @throws GitError while another program is at it */
	#write(path: string, text: string): void {
		if (this.files.statOrNull(absolute(`${path}.lock`, this.context.cwd)) !== null)
			throw failure(`could not lock config file ${path}: File exists`, 255);
		this.files.writeFile(path, encode(text));
		this.#settings = null;
		this.#values = null;
	}

	#text(path: string): string {
		const bytes = missingAsNull(() => this.files.readFile(absolute(path, this.context.cwd)));
		return bytes ? decode(bytes) : '';
	}
}

/** Settings outside of a repository. */
export function userSettings(surroundings: {
	files: SyncSyscalls;
	env: Record<string, string>;
	cwd: string;
	overrides: readonly Setting[];
}): Config {
	const { files, env, cwd, overrides } = surroundings;
	const context = { gitDir: null, branch: () => null, cwd, home: env['HOME'] ?? '/home/user' };
	return new Config(files, userFiles(env), overrides, context);
}
