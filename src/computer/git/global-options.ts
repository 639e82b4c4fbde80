import { absolute } from '#computer/abi/paths.ts';
import { shellWord } from '#environment/shell-word.ts';
import { normalizeKey, type Setting } from './config/config-file.ts';
import { GitError } from './errors.ts';

export const USAGE =
	'usage: git [-v | --version] [-h | --help] [-C <path>] [-c <name>=<value>]\n' +
	'           [-p | --paginate | -P | --no-pager] [--bare] [--git-dir=<path>]\n' +
	'           [--work-tree=<path>] [--config-env=<name>=<envvar>] <command> [<args>]';

/** Output of `--exec-path` and similar options. */
const PLACES: Record<string, string> = {
	'--exec-path': '/usr/lib/git-core',
	'--html-path': '/usr/share/doc/git/html',
	'--man-path': '/usr/share/man',
	'--info-path': '/usr/share/info'
};

/** Options without effect here: there is no pager. */
const WITHOUT_MEANING = new Set(['--no-pager', '-P', '-p', '--paginate']);

/** Options that set a variable for git and its child processes. */
const SWITCHES: Record<string, string> = {
	'--no-replace-objects': 'GIT_NO_REPLACE_OBJECTS',
	'--literal-pathspecs': 'GIT_LITERAL_PATHSPECS',
	'--glob-pathspecs': 'GIT_GLOB_PATHSPECS',
	'--noglob-pathspecs': 'GIT_NOGLOB_PATHSPECS',
	'--icase-pathspecs': 'GIT_ICASE_PATHSPECS'
};

/** Result of parsing the options before the command. */
export interface GlobalOptions {
	cwd: string;
	env: Record<string, string>;
	overrides: Setting[];
	/** Text to print instead of running a command. */
	answer: string | null;
	/** Command for an option that stands for one: `--version` and `--help`. */
	command: 'version' | 'help' | null;
	/** Kinds of commands to list, by `--list-cmds`. */
	listed: string[] | null;
	bare: boolean;
}

/**
 * Parses the options before the command, and removes them from `args`.
 *
 * @param isDirectory checks a path: `-C` requires a directory
 */
export function readGlobalOptions(
	args: string[],
	start: { cwd: string; env: Record<string, string> },
	isDirectory: (path: string) => boolean
): GlobalOptions {
	const { cwd, env } = start;
	const found: GlobalOptions = {
		cwd,
		env: { ...env },
		overrides: [],
		answer: null,
		command: null,
		listed: null,
		bare: false
	};
	found.overrides.push(...settingsOfEnvironment(env));
	while (args[0]?.startsWith('-')) {
		const option = args.shift()!;
		if (option === '--version' || option === '-v') return { ...found, command: 'version' };
		if (option === '--help' || option === '-h') return { ...found, command: 'help' };
		if (option.startsWith('--list-cmds=')) return { ...found, listed: option.slice('--list-cmds='.length).split(',') };
		if (PLACES[option] !== undefined)
			return {
				...found,
				answer: `${env['GIT_EXEC_PATH'] && option === '--exec-path' ? env['GIT_EXEC_PATH'] : PLACES[option]}\n`
			};
		readOne(option, args, found, isDirectory);
	}
	return found;
}

function readOne(option: string, args: string[], found: GlobalOptions, isDirectory: (path: string) => boolean): void {
	const [, name = option, attached] = /^(--[\w-]+)=(.*)$/s.exec(option) ?? [];
	const value = (missing: string): string => {
		const given = attached ?? args.shift();
		if (given === undefined) throw new GitError(missing, 129);
		return given;
	};
	if (option === '-C') {
		const directory = value('no directory given for -C');
		if (directory === '') return;
		found.cwd = absolute(directory, found.cwd);
		if (!isDirectory(found.cwd))
			throw new GitError(`fatal: cannot change to '${directory}': No such file or directory`, 128);
	} else if (option === '-c') addOverride(found, ...keyAndValue(value('-c expects a configuration string')));
	else if (name === '--config-env') {
		const given = value('no config key given for --config-env');
		const [, key = '', variable = ''] = /^(.*)=(.*)$/s.exec(given) ?? [];
		if (key === '') throw new GitError(`fatal: invalid config format: ${given}`, 128);
		if (variable === '') throw new GitError(`fatal: missing environment variable name for configuration '${key}'`, 128);
		const text = found.env[variable];
		if (text === undefined)
			throw new GitError(`fatal: missing environment variable '${variable}' for configuration '${key}'`, 128);
		addOverride(found, key, text);
	} else if (name === '--git-dir') found.env['GIT_DIR'] = value('no directory given for --git-dir');
	else if (name === '--work-tree') found.env['GIT_WORK_TREE'] = value('no directory given for --work-tree');
	else if (name === '--namespace') found.env['GIT_NAMESPACE'] = value('no namespace given for --namespace');
	else if (name === '--exec-path' || name === '--super-prefix') value('');
	else if (option === '--bare') {
		found.bare = true;
		found.env['GIT_DIR'] ??= found.cwd;
		found.env['GIT_IMPLICIT_WORK_TREE'] = '0';
	} else if (option === '--no-optional-locks') found.env['GIT_OPTIONAL_LOCKS'] = '0';
	else if (option === '--no-literal-pathspecs') found.env['GIT_LITERAL_PATHSPECS'] = '0';
	else if (SWITCHES[option] !== undefined) found.env[SWITCHES[option]] = '1';
	else if (!WITHOUT_MEANING.has(option)) throw new GitError(`unknown option: ${option}\n${USAGE}`, 129);
}

/** Splits `key=value` at the first `=`; without one, the setting is true. */
function keyAndValue(text: string): [key: string, value: string | undefined] {
	const [, key = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
	return [key, value];
}

/** Adds a setting for this run, and to the environment of child processes. */
function addOverride(found: GlobalOptions, key: string, value: string | undefined): void {
	found.overrides.push(override(key, value));
	const before = found.env['GIT_CONFIG_PARAMETERS'];
	const added = `${shellWord(key)}=${value === undefined ? '' : shellWord(value)}`;
	found.env['GIT_CONFIG_PARAMETERS'] = before === undefined ? added : `${before} ${added}`;
}

const override = (key: string, value: string | undefined): Setting => ({
	key: checkedKey(key),
	value: value ?? 'true',
	...(value === undefined ? { isBare: true } : {})
});

/** Quoted word of {@link parameters}, in which `'\\''` and `'\\!'` stand for the characters. */
const QUOTED = String.raw`'[^']*'(?:\\['!]'[^']*')*`;
const PARAMETER = new RegExp(`\\s*(${QUOTED})(=(${QUOTED})?)?(?=\\s|$)`, 'y');

/** Parses `GIT_CONFIG_PARAMETERS`: `'key'='value'`, or `'key=value'` by older versions. @throws GitError */
function parameters(text: string): Setting[] {
	const settings: Setting[] = [];
	const unquoted = (word: string) =>
		word.replace(/'([^']*)'|\\(['!])/g, (_, inner?: string, letter?: string) => inner ?? letter ?? '');
	PARAMETER.lastIndex = 0;
	for (let at = 0; text.slice(at).trim() !== ''; at = PARAMETER.lastIndex) {
		PARAMETER.lastIndex = at;
		const [all, key = '', equals, value] = PARAMETER.exec(text) ?? [];
		if (all === undefined)
			throw new GitError(
				'error: bogus format in GIT_CONFIG_PARAMETERS\nfatal: unable to parse command-line config',
				128
			);
		if (equals === undefined) settings.push(override(...keyAndValue(unquoted(key))));
		else settings.push(override(unquoted(key), value === undefined ? undefined : unquoted(value)));
	}
	return settings;
}

function checkedKey(key: string): string {
	if (key === '') throw new GitError('error: empty config key\nfatal: unable to parse command-line config', 128);
	if (!key.includes('.'))
		throw new GitError(
			`error: key does not contain a section: ${key}\nfatal: unable to parse command-line config`,
			128
		);
	if (!/^[A-Za-z0-9-]+(?:\..*)?\.[A-Za-z][A-Za-z0-9-]*$/s.test(key))
		throw new GitError(`error: invalid key: ${key}\nfatal: unable to parse command-line config`, 128);
	return normalizeKey(key);
}

/** Maximum of `GIT_CONFIG_COUNT`; a greater one is rejected. */
const MOST_SETTINGS = 2 ** 31 - 1;

/** Settings from the parent process: `GIT_CONFIG_PARAMETERS` (`-c` of another git), and `GIT_CONFIG_COUNT`. */
function settingsOfEnvironment(env: Record<string, string>): Setting[] {
	const settings: Setting[] = [];
	const count = env['GIT_CONFIG_COUNT'];
	if (count !== undefined && count !== '') {
		if (!/^\d+$/.test(count))
			throw new GitError('error: bogus count in GIT_CONFIG_COUNT\nfatal: unable to parse command-line config', 128);
		if (Number(count) > MOST_SETTINGS)
			throw new GitError(
				'error: too many entries in GIT_CONFIG_COUNT\nfatal: unable to parse command-line config',
				128
			);
		for (let i = 0; i < Number(count); i++) {
			const [key, value] = [env[`GIT_CONFIG_KEY_${i}`], env[`GIT_CONFIG_VALUE_${i}`]];
			const missing = key === undefined ? 'KEY' : value === undefined ? 'VALUE' : null;
			if (key === undefined || value === undefined)
				throw new GitError(
					`error: missing config ${missing === 'KEY' ? 'key' : 'value'} GIT_CONFIG_${missing}_${i}\nfatal: unable to parse command-line config`,
					128
				);
			settings.push({ key: checkedKey(key), value });
		}
	}
	settings.push(...parameters(env['GIT_CONFIG_PARAMETERS'] ?? ''));
	return settings;
}
