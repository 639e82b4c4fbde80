import type { ProcessContext } from '#computer/process/program.ts';
import { dirname } from '#computer/abi/paths.ts';
import { configuredValues, keyOf, linesOf, userFile } from '../configuration.ts';
import { NpmError } from '../errors.ts';
import { valuesOf } from '../managers/order.ts';
import { inside } from '../manifest.ts';
import type { Output } from '../output.ts';
import { DEFAULT_REGISTRY } from '../registry/registry.ts';

/** Default values of npm's options. */
const DEFAULTS: Readonly<Record<string, string>> = {
	registry: DEFAULT_REGISTRY,
	...Object.fromEntries(['audit', 'fund', 'package-lock', 'save', 'strict-ssl'].map((key) => [key, 'true'])),
	...Object.fromEntries(
		['engine-strict', 'force', 'ignore-scripts', 'legacy-peer-deps', 'offline', 'save-exact', 'workspaces'].map(
			(key) => [key, 'false']
		)
	),
	'init-license': 'ISC',
	'init-version': '1.0.0',
	loglevel: 'notice',
	omit: '',
	'save-prefix': '^',
	'script-shell': 'null',
	tag: 'latest'
};
const USAGE = [
	'Manage the npm configuration files',
	'',
	'Usage:',
	'npm config set <key>=<value> [<key>=<value> ...]',
	'npm config get [<key> [<key> ...]]',
	'npm config delete <key> [<key> ...]',
	'npm config list'
];

interface Configuration {
	context: ProcessContext;
	output: Output;
	project: string;
	flags: string[];
}

/** Runs `npm config` and its short forms `npm get` and `npm set`. @returns the exit code. @throws NpmError */
export function configCommand(configuration: Configuration, [action, ...words]: string[]): number {
	switch (action) {
		case 'get':
			return words.length > 0 ? get(configuration, words) : list(configuration);
		case 'list':
		case 'ls':
			return list(configuration);
		case 'set':
			return set(configuration, pairsOf(words));
		case 'delete':
		case 'rm':
		case 'del':
			if (words.length === 0) throw new NpmError('EUSAGE', ...USAGE);
			return set(
				configuration,
				words.map((key) => [key, null])
			);
		default:
			throw new NpmError('EUSAGE', ...USAGE);
	}
}

/** Returns whether a key names a secret: npm does not print those. */
const isProtected = (key: string): boolean => /(^|:)_/.test(key);

function get({ context, output, project, flags }: Configuration, keys: string[]): number {
	const hidden = keys.find(isProtected);
	if (hidden !== undefined) {
		output.error(`The ${hidden} option is protected, and cannot be retrieved in this way`);
		return 1;
	}
	const own: Readonly<Record<string, string>> = {
		cache: inside(homeOf(context), '.npm'),
		prefix: '/usr/local',
		userconfig: userFile(context)
	};
	for (const key of keys) {
		const [value = own[key] ?? DEFAULTS[key] ?? 'undefined'] = configuredValues(context, project, flags, key);
		output.print(keys.length > 1 ? `${key}=${value}` : value);
	}
	return 0;
}

const homeOf = (context: ProcessContext): string => dirname(userFile(context));

/** Prints the settings of the files, without secrets. */
function list({ context, output, project }: Configuration): number {
	const files = { user: userFile(context), project: inside(project, '.npmrc') };
	for (const [name, file] of Object.entries(files)) {
		const lines = linesOf(context, file).filter((line) => keyOf(line) !== null);
		if (lines.length === 0) continue;
		output.print(`; "${name}" config from ${file}`, '');
		for (const line of lines) {
			const key = keyOf(line) ?? '';
			const value = line.slice(line.indexOf('=') + 1).trim();
			output.print(`${key} = ${isProtected(key) ? '(protected)' : shown(value)}`);
		}
		output.print('');
	}
	output.print(`; cwd = ${context.cwd}`, `; HOME = ${homeOf(context)}`);
	return 0;
}

const shown = (value: string): string => (/^(true|false|null|\d+)$/.test(value) ? value : JSON.stringify(value));

/** `key=value` words, or one key and one value. @throws NpmError */
function pairsOf(words: string[]): [string, string][] {
	const [first = '', second, ...more] = words;
	if (first === '') throw new NpmError('EUSAGE', ...USAGE);
	if (!first.includes('=') && second !== undefined && more.length === 0) return [[first, second]];
	return words.map((word) => {
		const at = word.indexOf('=');
		return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
	});
}

/** Writes settings into the file of the selected location. @param pairs null removes a key. @throws NpmError */
function set({ context, project, flags }: Configuration, pairs: [string, string | null][]): number {
	const [place = 'user'] = valuesOf(flags, '--location', '-L');
	if (place === 'global' || flags.includes('-g') || flags.includes('--global')) {
		throw new NpmError(
			'EACCES',
			'There is no global configuration in the tab.',
			'Leave out --global to set it for you.'
		);
	}
	const file = place === 'project' ? inside(project, '.npmrc') : userFile(context);
	let lines = linesOf(context, file);
	for (const [key, value] of pairs) {
		lines = lines.filter((line) => keyOf(line) !== key);
		if (value !== null && value !== '') lines.push(`${key}=${value}`);
	}
	context.sync.mkdir(dirname(file), { recursive: true });
	context.sync.writeFile(file, new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
	return 0;
}
