import type { ProcessContext } from '../process/program.ts';
import { binDirectories, scriptEnvironment } from './environment.ts';
import { findManifest, inside, ManifestError, readManifest, type Manifest } from './manifest.ts';
import type { Output } from './output.ts';

/** `npx` and `npm exec`: a command of an installed package. @returns its exit code */
export async function execute(context: ProcessContext, output: Output, args: string[]): Promise<number> {
	const words = args.filter((word, index) => !(index < firstWord(args) && word.startsWith('-')));
	const [name, ...rest] = words;
	if (name === undefined) {
		output.error('Say which command to run: npx <command> [arguments]');
		return 1;
	}
	const manifest = project(context);
	const command = name.replace(/(?<=.)@[^/]*$/, '');
	const argv = findBin(context, manifest, command);
	if (!argv) {
		output.error(
			`"${command}" is not installed in this project, and npx does not download packages in this sandbox yet.`,
			'Look in node_modules/.bin for what there is.'
		);
		return 127;
	}
	const pid = context.sync.spawn({
		argv: [...argv, ...rest],
		cwd: context.cwd,
		env: { ...scriptEnvironment(context.env, manifest, 'npx', command), PWD: context.cwd }
	});
	return (await context.async.waitPid(pid)).code;
}

/** In `node_modules/.bin`, or by the `bin` field of a package whose links were not made, or a program of the sandbox. */
function findBin(context: ProcessContext, manifest: Manifest, command: string): string[] | null {
	const { sync } = context;
	for (const directory of binDirectories(context.cwd)) {
		const link = inside(directory, command);
		if (sync.statOrNull(link)) return [link];
		const installed = inside(directory.slice(0, -'/.bin'.length), command);
		if (!sync.statOrNull(inside(installed, 'package.json'))) continue;
		const { bins } = readManifest(sync, installed);
		const file = bins[command.split('/').pop() ?? command] ?? Object.values(bins)[0];
		if (file) return ['node', inside(installed, file.replace(/^\.\//, ''))];
	}
	const own = manifest.bins[command];
	if (own) return ['node', inside(manifest.directory, own.replace(/^\.\//, ''))];
	return sync.programs().includes(command) ? [command] : null;
}

function project(context: ProcessContext): Manifest {
	try {
		return findManifest(context.sync, context.cwd);
	} catch (error) {
		if (!(error instanceof ManifestError) || error.code !== 'ENOENT') throw error;
		return { directory: context.cwd, name: '', version: '', scripts: {}, bins: {} };
	}
}

function firstWord(args: string[]): number {
	const at = args.findIndex((word) => !word.startsWith('-'));
	return at < 0 ? args.length : at;
}
