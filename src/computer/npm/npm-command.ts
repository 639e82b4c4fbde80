import type { ProcessContext } from '#computer/process/program.ts';
import { absolute } from '#computer/abi/paths.ts';
import {
	ciCommand,
	globalDirectory,
	installCommand,
	projectDirectory,
	uninstallCommand,
	updateCommand
} from './commands/install.ts';
import { configCommand } from './commands/config.ts';
import { initCommand } from './commands/init.ts';
import { pkgCommand } from './commands/pkg.ts';
import { listCommand } from './commands/list.ts';
import { viewCommand } from './commands/view.ts';
import { NPM_VERSION } from '#computer/abi/versions.ts';
import { execute } from './execute.ts';
import { listScripts } from './list-scripts.ts';
import { configuredValues } from './configuration.ts';
import { isGlobal, readOptions } from './install/options.ts';
import { isHelp, type Selection, valuesOf } from './managers/order.ts';
import { findManifest, inside } from './manifest.ts';
import type { Output } from './output.ts';
import { registryAddress } from './registry/address.ts';
import { Registry } from './registry/registry.ts';
import { splitName } from './registry/spec.ts';
import { chosen, eachMember, runInMembers } from './run-in-members.ts';
import { projectAbove } from './tree/workspaces.ts';

const RUN = ['run', 'run-script', 'rum', 'urn'];
const SHORT: Record<string, string> = {
	t: 'test',
	tst: 'test',
	test: 'test',
	start: 'start',
	stop: 'stop',
	restart: 'restart'
};
/** Aliases of commands → the name used here. */
const NAMES: Record<string, string> = {
	install: 'install',
	i: 'install',
	in: 'install',
	add: 'install',
	isntall: 'install',
	ci: 'ci',
	'clean-install': 'ci',
	update: 'update',
	up: 'update',
	upgrade: 'update',
	prune: 'install',
	dedupe: 'install',
	uninstall: 'uninstall',
	remove: 'uninstall',
	rm: 'uninstall',
	un: 'uninstall',
	r: 'uninstall',
	ls: 'ls',
	list: 'ls',
	la: 'ls',
	ll: 'ls',
	view: 'view',
	info: 'view',
	show: 'view',
	v: 'view',
	init: 'init',
	create: 'init',
	pkg: 'pkg',
	root: 'root',
	prefix: 'prefix',
	config: 'config',
	c: 'config',
	get: 'get',
	set: 'set'
};
/** Flags whose value is the next word. */
const WITH_WORD = [
	'--prefix',
	'-C',
	'--registry',
	'--omit',
	'--include',
	'-w',
	'--workspace',
	'--loglevel',
	'--depth',
	'--location',
	'-L'
];
const NOT_HERE = ['audit', 'publish', 'login', 'logout', 'adduser', 'link', 'ln', 'rebuild', 'pack', 'fund', 'whoami'];

/** Runs `npm <args>`. @returns the exit code. @throws NpmError, ManifestError, Interrupted */
export async function npmCommand(context: ProcessContext, output: Output, args: string[]): Promise<number> {
	const end = args.indexOf('--');
	const own = joinWords(end < 0 ? args : args.slice(0, end));
	const passed = end < 0 ? [] : args.slice(end + 1);
	const flags = own.filter((word) => word.startsWith('-'));
	const [command, ...words] = own.filter((word) => !word.startsWith('-'));
	if (flags.includes('--version') || flags.includes('-v')) return printed(output, NPM_VERSION);
	const options = {
		silent: flags.some((flag) => ['-s', '--silent', '--loglevel=silent'].includes(flag)),
		ifPresent: flags.includes('--if-present')
	};
	if (command === undefined || command === 'help' || flags.some(isHelp)) return printed(output, ...USAGE);
	const selection = selectionOf(flags);
	const isRun = RUN.includes(command);
	const [script, ...rest] = isRun ? words : scriptFor(command, words);
	if (isRun || script !== undefined) {
		const members = chosen(context, selection) ?? [findManifest(context.sync, context.cwd)];
		if (script === undefined) return printed(output, ...members.flatMap(listScripts));
		return runInMembers(context, output, members, script, { ...options, args: [...rest, ...passed], goOn: true });
	}
	if (command === 'exec' || command === 'x') {
		return eachMember(context, chosen(context, selection), true, (where) =>
			execute(where, output, [...words, ...passed])
		);
	}
	const known = Object.hasOwn(NAMES, command) ? NAMES[command] : undefined;
	if (known !== undefined) {
		return eachMember(
			context,
			EDITING.includes(known) && words.length > 0 ? chosen(context, selection) : null,
			false,
			(where) => packageCommand(where, output, known, [...words, ...passed], flags)
		);
	}
	if (NOT_HERE.includes(command)) {
		output.error(`npm ${command} is not available in this sandbox.`, 'npm help lists what is.');
		return 1;
	}
	output.error(`"${command}" is not a command of npm in this sandbox.`, 'npm help lists those there are.');
	return 1;
}

async function packageCommand(
	context: ProcessContext,
	output: Output,
	command: string,
	words: string[],
	flags: string[]
): Promise<number> {
	const [elsewhere] = valuesOf(flags, '--prefix', '-C');
	const here = elsewhere === undefined ? projectDirectory(context) : absolute(elsewhere, context.cwd);
	const member = isGlobal(flags) ? globalDirectory(context) : here;
	const project = projectAbove(context.sync, member);
	const [legacyPeers] = configuredValues(context, project, flags, 'legacy-peer-deps');
	const options = { ...readOptions(flags, context.env), legacyPeers: legacyPeers === 'true' };
	const registry = new Registry(context, registryAddress(context, projectAbove(context.sync, here), flags));
	const installation = { context, output, registry, project, member, options };
	switch (command) {
		case 'install':
			return installCommand(installation, words);
		case 'ci':
			return ciCommand(installation);
		case 'uninstall':
			return uninstallCommand(installation, words);
		case 'update':
			return updateCommand(installation, words);
		case 'ls':
			return listCommand(context, output, project, words, flags);
		case 'view':
			return viewCommand(installation, project, words, flags);
		case 'pkg':
			return pkgCommand(context, output, member, words, flags.includes('--json'));
		case 'config':
			return configCommand({ context, output, project: member, flags }, words);
		case 'get':
		case 'set':
			return configCommand({ context, output, project: member, flags }, [command, ...words]);
		case 'root':
			return printed(output, inside(project, 'node_modules'));
		case 'prefix':
			return printed(output, project);
		default: {
			const [initializer, ...rest] = words;
			if (initializer === undefined) return initCommand(context, output, flags);
			return execute(context, output, [...flags, createName(initializer), ...rest]);
		}
	}
}

/** Translates `npm test` to `npm run test`. */
function scriptFor(command: string, words: string[]): string[] {
	const script = Object.hasOwn(SHORT, command) ? SHORT[command] : undefined;
	return script === undefined ? [] : [script, ...words];
}

/** `-w name`, `--workspaces`. */
function selectionOf(flags: string[]): Selection | null {
	if (flags.some((flag) => flag === '--workspaces' || flag === '-ws')) return 'all';
	const names = valuesOf(flags, '-w', '--workspace');
	return names.length > 0 ? names : null;
}

/** `npm create vite@latest` runs the package `create-vite@latest`, `@scope` the package `@scope/create`. */
function createName(initializer: string): string {
	const { name, range } = splitName(initializer);
	const version = range ? `@${range}` : '';
	if (!name.startsWith('@')) return `create-${name}${version}`;
	const [scope = '', rest] = name.split('/');
	return `${scope}/create${rest ? `-${rest}` : ''}${version}`;
}

/** `--prefix dir` → `--prefix=dir`. */
function joinWords(args: string[]): string[] {
	return args.flatMap((word, index) => {
		const before = args[index - 1];
		if (before !== undefined && WITH_WORD.includes(before)) return [];
		return WITH_WORD.includes(word) ? [`${word}=${args[index + 1] ?? ''}`] : [word];
	});
}

function printed(output: Output, ...lines: string[]): number {
	if (lines.length > 0) output.print(...lines);
	return 0;
}

/** Commands that change the dependencies of a package of the project. */
const EDITING = ['install', 'uninstall'];

const USAGE = [
	'npm <command>',
	'',
	'Usage:',
	'',
	'npm test           run this project’s tests',
	'npm start          start it',
	'npm run <name>     run the script named <name>',
	'npm run            list its scripts',
	'npm install        install what package.json asks for',
	'npm install <pkg>  add a package; -D for development',
	'npm ci             install exactly what package-lock.json says',
	'npm uninstall <p>  remove a package',
	'npm update         install newer versions that the ranges allow',
	'npm <…> -w <name>  do so in one package of this project; --workspaces in each',
	'npm ls             list what is installed',
	'npm view <pkg>     show what the registry says of a package',
	'npm config get <k> show a setting; set, delete and list as well',
	'npm init -y        write a package.json',
	'npx <command>      run a command of a package, fetched when it is not installed'
];
