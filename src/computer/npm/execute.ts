import type { ProcessContext } from '#computer/process/program.ts';
import { binDirectories, scriptEnvironment } from './environment.ts';
import { install } from './install/install.ts';
import { readOptions } from './install/options.ts';
import { binsOf } from './install/bins.ts';
import { findManifest, inside, ManifestError, readManifest, type Manifest } from './manifest.ts';
import type { Output } from './output.ts';
import { registryAddress } from './registry/address.ts';
import { Registry } from './registry/registry.ts';
import { parseArgument } from './registry/spec.ts';

/** Flags of npx whose value is the next word. */
const WITH_WORD = ['-p', '--package', '-c', '--call'];

/**
 * `npx` and `npm exec`: runs a command of an installed package, of the sandbox, or of a package fetched for it.
 * @returns its exit code
 */
export async function execute(context: ProcessContext, output: Output, args: string[]): Promise<number> {
	const { packages, call, flags, words } = readArguments(args);
	const [name, ...rest] = words;
	if (name === undefined && call === null) {
		output.error('Say which command to run: npx <command> [arguments]');
		return 1;
	}
	const manifest = project(context);
	const asked = packages.length > 0 ? packages : name === undefined ? [] : [name];
	const command =
		name === undefined
			? ''
			: (name
					.replace(/(?<=.)@[^/]*$/, '')
					.split('/')
					.pop() ?? name);
	const isPlain =
		packages.length === 0 && (name === undefined || !/.@/.test(name) || context.sync.programs().includes(command));
	const local = isPlain && name !== undefined ? findBin(context, manifest, name.replace(/(?<=.)@[^/]*$/, '')) : null;
	if (call !== null && asked.length === 0) return run(context, manifest, ['sh', '-c', call], '', []);
	if (local) return run(context, manifest, local, command, rest);
	const fetched = await fetchPackages(context, output, manifest, asked, flags);
	if (fetched === null) return 1;
	const bin = inside(fetched, 'node_modules/.bin');
	if (call !== null) return run(context, manifest, ['sh', '-c', call], '', [], bin);
	const found = [command, firstBin(context, fetched, asked[0] ?? '')].find(
		(candidate) => candidate !== null && context.sync.statOrNull(inside(bin, candidate))
	);
	if (typeof found === 'string') return run(context, manifest, [inside(bin, found)], found, rest, bin);
	output.error('could not determine executable to run', `${asked.join(', ')} has no command "${command}".`);
	return 1;
}

function readArguments(args: string[]) {
	const packages: string[] = [];
	const flags: string[] = [];
	let call: string | null = null;
	let at = 0;
	for (; at < args.length && args[at]?.startsWith('-'); at++) {
		const [flag = '', value] = (args[at] ?? '').split(/=(.*)/s);
		if (flag === '--') {
			at++;
			break;
		}
		const word = WITH_WORD.includes(flag) ? (value ?? args[++at] ?? '') : '';
		if (flag === '-p' || flag === '--package') packages.push(word);
		else if (flag === '-c' || flag === '--call') call = word;
		else flags.push(args[at] ?? '');
	}
	return { packages, call, flags, words: args.slice(at) };
}

async function run(
	context: ProcessContext,
	manifest: Manifest,
	argv: string[],
	command: string,
	rest: string[],
	bin?: string
): Promise<number> {
	const env: Record<string, string> = {
		...scriptEnvironment(context.env, manifest, 'npx', command),
		PWD: context.cwd
	};
	if (bin) env['PATH'] = `${bin}:${env['PATH']}`;
	const pid = context.sync.spawn({ argv: [...argv, ...rest], cwd: context.cwd, env });
	return (await context.async.waitPid(pid)).code;
}

/**
 * Installs into a separate directory below the home directory, once per set of packages.
 * @returns the directory; `null` if the user declines
 */
async function fetchPackages(
	context: ProcessContext,
	output: Output,
	manifest: Manifest,
	asked: string[],
	flags: string[]
): Promise<string | null> {
	const { sync, env } = context;
	const place = asked.join('+').replace(/[^a-z0-9@.+~^-]/gi, '_');
	const directory = inside(env['HOME'] ?? '/home/user', `.npm/_npx/${place}`);
	const known = sync.statOrNull(inside(directory, 'node_modules/.package-lock.json')) !== null;
	if (!known) {
		if (flags.includes('--no') || flags.includes('--no-install')) {
			output.error(`npx canceled due to missing packages and no YES option: ${JSON.stringify(asked)}`);
			return null;
		}
		if (!flags.includes('-y') && !flags.includes('--yes') && sync.isTerminal(0) && !agreed(context, asked)) {
			output.error('canceled');
			return null;
		}
	}
	const list = Object.fromEntries(
		asked.map((argument) => {
			const { name, range } = parseArgument(argument);
			return [name, range || 'latest'];
		})
	);
	sync.mkdir(directory, { recursive: true });
	sync.writeFile(inside(directory, 'package.json'), new TextEncoder().encode(JSON.stringify({ dependencies: list })));
	if (!known) {
		const registry = new Registry(context, registryAddress(context, manifest.directory, flags));
		const options = { ...readOptions(flags, {}), legacyPeers: false, silent: true };
		const wanted = { name: '', version: '', dependencies: list };
		await install({ context, output, registry, project: directory, member: directory, options }, wanted);
	}
	return directory;
}

/** Asks on the terminal. */
function agreed({ sync }: ProcessContext, asked: string[]): boolean {
	const text = `Need to install the following packages:\n${asked.join('\n')}\nOk to proceed? (y) `;
	sync.write(2, new TextEncoder().encode(text));
	const answer = new TextDecoder().decode(sync.read(0, 1024)).trim();
	return answer === '' || /^y(es)?$/i.test(answer);
}

function firstBin({ sync }: ProcessContext, directory: string, argument: string): string | null {
	const { name } = parseArgument(argument);
	const installed = inside(directory, `node_modules/${name}`);
	if (!sync.statOrNull(inside(installed, 'package.json'))) return null;
	const manifest = readManifest(sync, installed);
	const bins = Object.keys(binsOf({ name, version: '', bin: manifest.bins }));
	return bins[0] ?? null;
}

/**
 * Searches `node_modules/.bin`, then the `bin` field of a package without links, then programs of the sandbox.
 */
export function findBin(context: ProcessContext, manifest: Manifest, command: string): string[] | null {
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
