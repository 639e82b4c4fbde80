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

/** Setting with its origin. */
export interface FoundSetting extends Setting {
	scope: Scope;
	/** Path of its file; null if it is from the command line. */
	path: string | null;
}

/** Maximum depth of nested includes. */
const MAX_INCLUDES = 10;

/** Configuration files outside a repository, from lowest to highest precedence. */
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

/** State that conditions of `includeIf` test. */
export interface IncludeContext {
	gitDir: string | null;
	branch: () => string | null;
	cwd: string;
	home: string;
}

/**
 * Effective settings: the system's, the user's, the repository's, then those of `-c`. Like git's, they are read once
 * per command: what another program (a hook, an editor) writes meanwhile takes effect in the next one.
 */
export class Config {
	/** Cached settings, and their values by key; null until first read and after a write by this object. */
	#settings: readonly FoundSetting[] | null = null;
	#values: ReadonlyMap<string, readonly string[]> | null = null;

	/** @param overrides from `-c key=value`, last one wins */
	constructor(
		private readonly files: SyncSyscalls,
		private readonly sources: () => readonly ConfigFile[],
		private readonly overrides: readonly Setting[],
		private readonly context: IncludeContext
	) {}

	/** Settings with their origins, from lowest to highest precedence. */
	all(): readonly FoundSetting[] {
		this.#settings ??= this.found(true);
		return this.#settings;
	}

	/** Reads all settings without the cache. @param includes whether to follow include settings */
	found(includes: boolean): FoundSetting[] {
		const found = this.sources().flatMap(({ path, scope }) => this.read(path, scope, includes));
		const given = this.overrides.flatMap((setting): FoundSetting[] => {
			const own = { ...setting, scope: 'command' as const, path: null };
			const included = includes ? this.#included(setting, '') : null;
			return included === null ? [own] : [own, ...this.settingsOf(this.#text(included), included, 'command', true, 1)];
		});
		return [...found, ...given];
	}

	/** Values of all settings by normalized key, from lowest to highest precedence. */
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

	/** Settings of one file and, if `includes` is set, of the files it includes. */
	read(path: string, scope: Scope, includes = true): FoundSetting[] {
		return this.settingsOf(this.#text(path), path, scope, includes);
	}

	/** Same for a text. @param path of the file that paths in the text are relative to */
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

	/** Path of the file that a setting includes; null if it includes none. */
	#included({ key, value, isBare }: Setting, from: string): string | null {
		const condition = /^includeif\.(.*)\.path$/s.exec(key)?.[1];
		if (isBare || (key !== 'include.path' && (condition === undefined || !this.#holds(condition, from)))) return null;
		const path = value.replace(/^~(?=\/)/, this.context.home);
		if (path.startsWith('/')) return path;
		if (from === '') throw fatal('relative config includes must come from files');
		// As git shows it: the directory is not normalized.
		return from.includes('/') ? `${dirname(from)}/${path}` : path;
	}

	/** Checks whether a condition of `includeIf` holds. */
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
		const isEqual = wildmatch(path, false, kind === 'gitdir/i');
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

	/** @param value null removes the setting */
	set(path: string, key: string, value: string | null, add = false): void {
		this.#write(path, editConfig(this.#text(path), key, value, add));
	}

	/** Renames all sections of a name. */
	moveSection(path: string, from: string, to: string): void {
		const text = renameSection(this.#text(path), from, to);
		if (text !== null) this.#write(path, text);
	}

	/** Copies the settings of a section to another name. */
	copySection(path: string, from: string, to: string): void {
		const text = copySection(this.#text(path), from, to);
		if (text !== null) this.#write(path, text);
	}

	removeSection(path: string, section: string): void {
		this.#write(path, removeSection(this.#text(path), section));
	}

	/** @throws GitError if another program holds the lock */
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

/** Settings outside a repository. */
export function userSettings(surroundings: {
	files: SyncSyscalls;
	env: Record<string, string>;
	cwd: string;
	overrides: readonly Setting[];
}): Config {
	const { files, env, cwd, overrides } = surroundings;
	const context = { gitDir: null, branch: () => null, cwd, home: env['HOME'] ?? '/home/user' };
	return new Config(files, () => userFiles(env), overrides, context);
}
