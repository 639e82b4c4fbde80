import { decode, encode } from '../bytes.ts';
import { runChild } from '../child.ts';
import { absolute } from '#computer/abi/paths.ts';
import { type Config, type ConfigFile, type FoundSetting, userFiles, userSettings } from '../config/config.ts';
import { normalizeKey, parseItems } from '../config/config-file.ts';
import { countMatching, type Matching, renameSection, replaceSettings } from '../config/edit-config.ts';
import { ansiColor } from '../config/ansi-color.ts';
import { shownValue, storedValue, VALUE_TYPES, type ValueType } from '../config/typed-value.ts';
import { fatal, failure, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { type Options, parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision } from '../refs/revision.ts';

const USAGE = 'config [<options>]';
const ACTIONS = {
	get: '--get',
	getAll: '--get-all',
	getRegexp: '--get-regexp',
	getColor: '--get-color',
	getColorBool: '--get-colorbool',
	replaceAll: '--replace-all',
	add: '--add',
	unset: '--unset',
	unsetAll: '--unset-all',
	renameSection: '--rename-section',
	removeSection: '--remove-section',
	list: '-l --list',
	edit: '-e --edit'
};
const OPTIONS = {
	...ACTIONS,
	global: '--global',
	system: '--system',
	local: '--local',
	worktree: '--worktree',
	file: '-f --file =',
	blob: '--blob =',
	zero: '-z --null',
	nameOnly: '--name-only',
	includes: '--includes',
	noIncludes: '--no-includes',
	showOrigin: '--show-origin',
	showScope: '--show-scope',
	default: '--default =',
	fixedValue: '--fixed-value'
};
type Action = keyof typeof ACTIONS | 'set';
/** Actions that accept `--fixed-value`. */
const WITH_PATTERN: readonly Action[] = ['get', 'getAll', 'getRegexp', 'replaceAll', 'unset', 'unsetAll', 'set'];

export const config: Command = (git, args) => {
	const { type, rest } = readTypes(args);
	const options = parseOptions(USAGE, rest, OPTIONS);
	const given = (Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).filter((name) => options.has(name));
	if (given.length > 1) throw new GitError(`error: only one action at a time\nusage: git ${USAGE}`, 129);
	const operands = [...options.operands, ...(options.paths ?? [])];
	const action = given[0] ?? (operands.length > 1 ? 'set' : 'get');
	if (given.length === 0 && operands.length === 0) throw new GitError(`usage: git ${USAGE}`, 129);
	return new ConfigCommand(git, options, type, action).run(operands);
};

/** Options whose value is the next argument. */
const TAKES_NEXT = new Set(['-f', '--file', '--blob', '--default']);

/** Extracts the options for types; two different types are an error. Options end at the first operand. */
function readTypes(args: readonly string[]): { type: ValueType | null; rest: string[] } {
	let type: ValueType | null = null;
	const rest: string[] = [];
	for (let at = 0; at < args.length; at++) {
		const arg = args[at]!;
		const [, legacy] = /^--(bool|int|bool-or-int|bool-or-str|path|expiry-date)$/.exec(arg) ?? [];
		const named = legacy ?? (arg === '--type' ? args[++at] : /^--type=(.*)$/s.exec(arg)?.[1]);
		if (!arg.startsWith('-') && !TAKES_NEXT.has(args[at - 1] ?? '')) {
			rest.push('--', ...args.slice(at));
			break;
		}
		if (arg === '--no-type') type = null;
		else if (named === undefined) rest.push(arg);
		else {
			const known = VALUE_TYPES.find((one) => one === named);
			if (!known) throw fatal(`unrecognized --type argument, ${named}`);
			if (type !== null && type !== known)
				throw new GitError(`error: only one type at a time\nusage: git ${USAGE}`, 129);
			type = known;
		}
	}
	return { type, rest };
}

/** One invocation of `git config`. */
class ConfigCommand {
	readonly #settings: Config;
	/** Selected file; null for all files. */
	readonly #only: ConfigFile | null;
	/** Text from standard input or a blob, if selected. */
	readonly #text: { origin: string; text: string } | null;

	constructor(
		private readonly git: Invocation,
		private readonly options: Options<keyof typeof OPTIONS>,
		private readonly type: ValueType | null,
		private readonly action: Action
	) {
		const isLocal = options.has('local') || options.has('worktree');
		this.#settings = openConfig(git, false);
		if (isLocal && !isInRepository(git))
			throw fatal(`--${options.has('local') ? 'local' : 'worktree'} can only be used inside a git repository`);
		const places = (['file', 'blob', 'system', 'global', 'local', 'worktree'] as const).filter((name) =>
			options.has(name)
		);
		if (places.length > 1) throw new GitError(`error: only one config file at a time\nusage: git ${USAGE}`, 129);
		this.#text = this.#givenText();
		this.#only = this.#text ? null : this.#givenFile();
	}

	/** Text from standard input or a blob, if settings are to be read from there. */
	#givenText(): { origin: string; text: string } | null {
		const blob = this.options.get('blob');
		const isInput = this.options.get('file') === '-';
		const writes = !['get', 'getAll', 'getRegexp', 'getColor', 'getColorBool', 'list'].includes(this.action);
		if (isInput && writes) throw fatal(`${this.action === 'edit' ? 'editing' : 'writing to'} stdin is not supported`);
		if (blob !== undefined && writes)
			throw fatal(`${this.action === 'edit' ? 'editing' : 'writing config'} blobs is not supported`);
		if (isInput) return { origin: 'standard input:', text: decode(this.git.input()) };
		if (blob === undefined) return null;
		const id = findRevision(this.git.repository, blob);
		if (id === null) throw fatal(`unable to resolve config blob '${blob}'`);
		return { origin: `blob:${blob}`, text: decode(this.git.repository.objects.read(id, 'blob')) };
	}

	#givenFile(): ConfigFile | null {
		const { git, options } = this;
		const { env } = git;
		const file = options.get('file') ?? (this.#hasPlace() ? undefined : env['GIT_CONFIG']);
		if (file !== undefined) {
			const prefix = isInRepository(git) ? git.repository.prefix : '';
			return { scope: 'command', path: file.startsWith('/') ? file : prefix + file };
		}
		if (options.has('global')) {
			const paths = userFiles(env).filter(({ scope }) => scope === 'global');
			const there = paths.filter(({ path }) => git.surroundings.files.statOrNull(absolute(path, git.cwd)) !== null);
			return there.at(-1) ?? paths.at(-1) ?? null;
		}
		if (options.has('system')) return { scope: 'system', path: env['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig' };
		if (options.has('worktree')) return git.repository.configFiles().at(-1) ?? null;
		return options.has('local') ? localFile(git) : null;
	}

	#hasPlace(): boolean {
		return (['global', 'system', 'local', 'worktree', 'blob'] as const).some((name) => this.options.has(name));
	}

	run(operands: readonly string[]): number {
		const { action, options } = this;
		const [first, second, third] = operands;
		const pattern = action === 'set' || action === 'replaceAll' ? third : second;
		if (options.has('fixedValue') && (!WITH_PATTERN.includes(action) || pattern === undefined))
			throw new GitError(`error: --fixed-value only applies with 'value-pattern'\nusage: git ${USAGE}`, 129);
		if (options.has('default') && action !== 'get')
			throw new GitError(`error: --default is only applicable to --get\nusage: git ${USAGE}`, 129);
		if (action === 'list') return this.#list();
		if (action === 'edit') return this.#edit();
		if (first === undefined) throw new GitError('error: wrong number of arguments, should be from 1 to 2', 129);
		if (action === 'getRegexp') return this.#getRegexp(first, second);
		if (action === 'getColor') return this.#getColor(first, second ?? '');
		if (action === 'getColorBool') return this.#getColorBool(first, second);
		if (action === 'renameSection' || action === 'removeSection') return this.#section(first, second ?? null);
		requireKey(first, action === 'get' || action === 'getAll' ? 1 : 2);
		if (action === 'get' || action === 'getAll') return this.#get(first, second);
		if (action === 'unset' || action === 'unsetAll') return this.#unset(first, second);
		if (second === undefined) throw new GitError('error: wrong number of arguments, should be 2', 129);
		return this.#set(first, second, third);
	}

	/** Settings of the selected sources, in order. @throws GitError if a file is malformed */
	#found(): readonly FoundSetting[] {
		const asked = this.options.latest('includes', 'noIncludes');
		const includes = asked === undefined ? !this.#only : asked === 'includes';
		if (this.#text) {
			const { origin, text } = this.#text;
			const bad = parseItems(text).badLine;
			if (bad !== null)
				throw fatal(`bad config line ${bad} in ${origin === 'standard input:' ? 'standard input' : origin}`);
			const found = this.#settings.settingsOf(text, '', 'command', includes);
			return found.map((setting) => (setting.path === '' ? { ...setting, path: null } : setting));
		}
		const files = this.#only
			? [this.#only]
			: isInRepository(this.git)
				? this.git.repository.configFiles()
				: userFiles(this.git.env);
		for (const { path } of files) this.#check(path);
		if (this.#only) return this.#settings.read(this.#only.path, this.#only.scope, includes);
		return this.#settings.found(includes);
	}

	#check(path: string): void {
		const { files } = this.git.surroundings;
		const full = this.#full(path);
		if (files.statOrNull(full)?.kind !== 'file') return;
		const bad = parseItems(decode(files.readFile(full))).badLine;
		if (bad !== null) throw fatal(`bad config line ${bad} in file ${path}`);
	}

	#full(path: string): string {
		return absolute(path, isInRepository(this.git) ? this.git.repository.root : this.git.cwd);
	}

	#list(): number {
		if (this.#only && this.git.surroundings.files.statOrNull(this.#full(this.#only.path)) === null)
			throw fatal(`unable to read config file '${this.#only.path}': No such file or directory`);
		for (const setting of this.#found()) this.#print(setting, true, '=');
		return 0;
	}

	/** Prints a setting. @param between separator of key and value */
	#print(setting: FoundSetting, showsKey: boolean, between: string): void {
		const { git, options, type } = this;
		const isZero = options.has('zero');
		const separator = isZero ? '\0' : '\t';
		const scope = options.has('showScope') ? setting.scope + separator : '';
		const origin = options.has('showOrigin') ? this.#originOf(setting, !isZero) + separator : '';
		const isNameOnly = options.has('nameOnly') && showsKey;
		const value = isNameOnly ? '' : shownValue(setting, type, this.#valueContext());
		const isAlone = isNameOnly || (setting.isBare === true && type === null);
		const key = showsKey ? setting.key + (isAlone ? '' : isZero ? '\n' : between) : '';
		git.out(`${scope}${origin}${key}${value}${isZero ? '\0' : '\n'}`);
	}

	#originOf({ path, scope }: FoundSetting, isQuoted: boolean): string {
		if (path !== null) return `file:${isQuoted ? quotePath(path) : path}`;
		return this.#text && scope === 'command' ? this.#text.origin : 'command line:';
	}

	#valueContext() {
		const place = ({ path }: FoundSetting) => (path === null ? '' : ` in file ${path}`);
		return { home: this.git.env['HOME'], nowMs: this.git.context.sync.now(), placeOf: place };
	}

	#matching(pattern: string | undefined): Matching {
		if (pattern === undefined) return () => true;
		if (this.options.has('fixedValue')) return (value) => value === pattern;
		const isNegated = pattern.startsWith('!');
		const expression = regularExpression(isNegated ? pattern.slice(1) : pattern);
		return (value, isBare) => expression.test(isBare ? '' : value) !== isNegated;
	}

	#get(key: string, pattern: string | undefined): number {
		const matches = this.#matching(pattern);
		const wanted = normalizeKey(key);
		const found = this.#found().filter(
			(setting) => normalizeKey(setting.key) === wanted && matches(setting.value, setting.isBare ?? false)
		);
		const fallback = this.options.get('default');
		if (found.length === 0 && fallback !== undefined)
			found.push({ key, value: fallback, scope: 'command', path: null });
		for (const setting of this.action === 'getAll' ? found : found.slice(-1)) this.#print(setting, false, '');
		return found.length > 0 ? 0 : 1;
	}

	#getRegexp(keys: string, pattern: string | undefined): number {
		const expression = regularExpression(keys);
		const matches = this.#matching(pattern);
		const found = this.#found().filter(
			({ key, value, isBare }) => expression.test(key) && matches(value, isBare ?? false)
		);
		for (const setting of found) this.#print(setting, true, ' ');
		return found.length > 0 ? 0 : 1;
	}

	#getColor(key: string, fallback: string): number {
		const text = this.#found().findLast((setting) => normalizeKey(setting.key) === normalizeKey(key))?.value;
		const color = ansiColor(text ?? fallback);
		if (color === null) throw fatal('unable to parse default color value');
		this.git.out(color);
		return 0;
	}

	#getColorBool(key: string, terminal: string | undefined): number {
		const text = this.#settings.get(key) ?? this.#settings.get('color.ui') ?? 'auto';
		const isTerminal = terminal === undefined ? this.git.context.sync.isTerminal(1) : terminal === 'true';
		const isOn = text === 'always' || (text !== 'never' && text !== 'false' && isTerminal);
		if (terminal !== undefined) this.git.out(`${isOn}\n`);
		return terminal !== undefined || isOn ? 0 : 1;
	}

	/** File to be written, and its current text. */
	#target(): { path: string; shown: string; text: string } {
		const file = this.#only ?? (isInRepository(this.git) ? localFile(this.git) : null);
		if (!file) throw failure('not in a git directory', 128);
		const path = this.#full(file.path);
		const { files } = this.git.surroundings;
		return { path, shown: file.path, text: files.statOrNull(path) ? decode(files.readFile(path)) : '' };
	}

	#write(path: string, text: string): void {
		this.git.surroundings.files.writeFile(path, encode(text));
	}

	#set(key: string, given: string, pattern: string | undefined): number {
		const value = storedValue(key, given, this.type);
		const { path, shown, text } = this.#target();
		const bad = parseItems(text).badLine;
		if (bad !== null) throw failure(`bad config line ${bad} in file ${shown}`, 3);
		const matches = this.action === 'add' ? () => false : this.#matching(pattern);
		if (this.action === 'set' && countMatching(text, key, matches) > 1)
			throw new GitError(
				`warning: ${key} has multiple values\nerror: cannot overwrite multiple values with a single value\n` +
					`       Use a regexp, --add or --replace-all to change ${key}.`,
				5
			);
		this.#write(path, replaceSettings(text, key, value, matches));
		return 0;
	}

	#unset(key: string, pattern: string | undefined): number {
		const { path, text } = this.#target();
		const matches = this.#matching(pattern);
		const count = countMatching(text, key, matches);
		if (count > 1 && this.action === 'unset') throw new GitError(`warning: ${key} has multiple values`, 5);
		if (count === 0) return 5;
		this.#write(path, replaceSettings(text, key, null, matches));
		return 0;
	}

	#section(from: string, to: string | null): number {
		const { path, shown, text } = this.#target();
		const target = this.action === 'removeSection' ? null : to;
		if (this.action === 'renameSection' && (to === null || !/^[\w-]+(?:\..*)?$/.test(to) || to.includes('\n')))
			throw new GitError(`error: invalid section name: ${to ?? ''}`, 255);
		let result: string | null;
		try {
			result = renameSection(text, from, target);
		} catch (error) {
			if (!(error instanceof RangeError)) throw error;
			throw new GitError(`error: refusing to work with overly long line in '${shown}' on line ${error.message}`, 255);
		}
		if (result === null) throw fatal(`no such section: ${from}`);
		this.#write(path, result);
		return 0;
	}

	#edit(): number {
		const { git } = this;
		const { path } = this.#target();
		const editor = git.env['GIT_EDITOR'] ?? this.#settings.get('core.editor') ?? git.env['VISUAL'] ?? git.env['EDITOR'];
		if (editor === undefined) throw new GitError('error: there is no editor here; change settings by their names', 1);
		return runChild(git, `${editor} "$@"`, [path], { cwd: git.cwd });
	}
}

/** @throws GitError if the text is not a regular expression */
function regularExpression(text: string): RegExp {
	try {
		return new RegExp(text);
	} catch (error) {
		if (error instanceof SyntaxError) throw failure(`invalid pattern: ${text}`, 6);
		throw error;
	}
}

/** @throws GitError if the key is invalid @param code exit code if the key lacks a section or a variable name */
function requireKey(key: string, code: number): void {
	if (!key.includes('.') || key.startsWith('.')) throw failure(`key does not contain a section: ${key}`, code);
	if (key.endsWith('.')) throw failure(`key does not contain variable name: ${key}`, code);
	if (key.includes('\n')) throw failure(`invalid key (newline): ${key}`, 1);
	if (!/^[A-Za-z0-9-]+(?:\..*)?\.[A-Za-z][A-Za-z0-9-]*$/s.test(key)) throw failure(`invalid key: ${key}`, 1);
}

/** Returns whether git was started in a repository. */
export function isInRepository(git: Invocation): boolean {
	try {
		return git.repository !== null;
	} catch (error) {
		if (error instanceof GitError) return false;
		throw error;
	}
}

const localFile = (git: Invocation): ConfigFile | null =>
	git.repository.configFiles().find(({ scope }) => scope === 'local') ?? null;

/** Settings of the repository, or only the user's settings outside a repository. */
export function openConfig(git: Invocation, global: boolean): Config {
	return !global && isInRepository(git) ? git.repository.config : userSettings(git.surroundings);
}
