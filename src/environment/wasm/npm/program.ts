import type { ProcessContext } from '../process/program.ts';
import { NPM_VERSION } from './environment.ts';
import { execute } from './execute.ts';
import { listScripts } from './list-scripts.ts';
import { findManifest, ManifestError } from './manifest.ts';
import { Output } from './output.ts';
import { runScript } from './run-script.ts';

const RUN = ['run', 'run-script', 'rum', 'urn'];
const SHORT: Record<string, string> = {
	t: 'test',
	tst: 'test',
	test: 'test',
	start: 'start',
	stop: 'stop',
	restart: 'restart'
};
const INSTALLING = [
	'install',
	'i',
	'add',
	'ci',
	'install-test',
	'it',
	'update',
	'up',
	'upgrade',
	'uninstall',
	'remove',
	'rm',
	'un',
	'dedupe',
	'prune',
	'rebuild',
	'link'
];

/** The program behind `npm` and `npx`. @returns the exit code */
export async function npm(context: ProcessContext): Promise<number> {
	const output = new Output(context);
	const [called = 'npm', ...args] = context.argv;
	try {
		if (called.split('/').pop() === 'npx') {
			if (args[0] === '--version' || args[0] === '-v') return printed(output, NPM_VERSION);
			return await execute(context, output, args[0] === '--' ? args.slice(1) : args);
		}
		return await dispatch(context, output, args);
	} catch (error) {
		if (!(error instanceof ManifestError)) throw error;
		output.error(`code ${error.code}`, error.message);
		return error.code === 'ENOENT' ? 254 : 1;
	}
}

async function dispatch(context: ProcessContext, output: Output, args: string[]): Promise<number> {
	const end = args.indexOf('--');
	const own = end < 0 ? args : args.slice(0, end);
	const passed = end < 0 ? [] : args.slice(end + 1);
	const flags = own.filter((word) => word.startsWith('-'));
	const [command, ...words] = own.filter((word) => !word.startsWith('-'));
	if (flags.includes('--version') || flags.includes('-v')) return printed(output, NPM_VERSION);
	const options = {
		silent: flags.some((flag) => ['-s', '--silent', '--loglevel=silent'].includes(flag)),
		ifPresent: flags.includes('--if-present')
	};
	if (command === undefined || command === 'help') return printed(output, ...USAGE);
	if (RUN.includes(command)) {
		const manifest = findManifest(context.sync, context.cwd);
		const [name, ...rest] = words;
		if (name === undefined) return printed(output, ...listScripts(manifest));
		return runScript(context, output, manifest, name, { ...options, args: [...rest, ...passed] });
	}
	const script = Object.hasOwn(SHORT, command) ? SHORT[command] : undefined;
	if (script !== undefined) {
		const manifest = findManifest(context.sync, context.cwd);
		return runScript(context, output, manifest, script, { ...options, args: [...words, ...passed] });
	}
	if (command === 'exec' || command === 'x') return execute(context, output, [...words, ...passed]);
	if (INSTALLING.includes(command)) {
		output.error(
			`npm ${command} cannot download packages in this sandbox yet.`,
			'Import a project with its node_modules, or write the dependency’s files into node_modules yourself.'
		);
		return 1;
	}
	output.error(`"${command}" is not a command of npm in this sandbox.`, 'npm help lists those there are.');
	return 1;
}

function printed(output: Output, ...lines: string[]): number {
	if (lines.length > 0) output.print(...lines);
	return 0;
}

const USAGE = [
	'npm <command>',
	'',
	'Usage:',
	'',
	'npm test           run this project’s tests',
	'npm start          start it',
	'npm run <name>     run the script named <name>',
	'npm run            list its scripts',
	'npx <command>      run a command of an installed package'
];
