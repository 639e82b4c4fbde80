import { NpmError } from '../errors.ts';
import { findManifest, inside, ManifestError } from '../manifest.ts';
import { cleanInstall, install, type Installation } from '../install/install.ts';
import { parseArgument, parseSpec } from '../registry/spec.ts';
import { readPackage } from '../tree/package.ts';
import { addToMember } from './add-to-member.ts';
import { editPackage, savedRange } from './edit-package.ts';
import { DEPENDENCY_KINDS, type PackageManifest } from '../registry/packument.ts';
import { HOME } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';

/** Directory of the project: the nearest package.json, or the current directory. */
export function projectDirectory({ sync, cwd }: ProcessContext): string {
	try {
		return findManifest(sync, cwd).directory;
	} catch (error) {
		if (error instanceof ManifestError && error.code === 'ENOENT') return cwd;
		throw error;
	}
}

/** Directory for `-g`, instead of `/usr/local`: a separate project whose commands are on PATH. */
export function globalDirectory({ sync, env }: ProcessContext): string {
	const directory = inside(env['HOME'] ?? HOME, '.npm-global');
	const file = inside(directory, 'package.json');
	if (!sync.statOrNull(file)) {
		sync.mkdir(directory, { recursive: true });
		sync.writeFile(file, new TextEncoder().encode('{ "private": true }\n'));
	}
	return directory;
}

/** `npm install [package…]`. @returns the exit code */
export async function installCommand(installation: Installation, words: string[]): Promise<number> {
	const { context, output, project, member, options } = installation;
	const { sync } = context;
	const isHere = (word: string) => sync.programs().includes(parseArgument(word).name);
	if (options.global && words.length > 0 && words.every(isHere)) {
		output.print(`${words.join(' ')}: a command of this sandbox already.`);
		return 0;
	}
	if (member !== project && words.length > 0) return addToMember(installation, words);
	const file = inside(project, 'package.json');
	const exists = sync.statOrNull(file) !== null;
	if (!exists && words.length === 0) findManifest(sync, project);
	const manifest: PackageManifest = exists ? readPackage(sync, project) : { name: '', version: '' };
	const asked = words.map((word) => {
		const { name, range } = parseArgument(word);
		if (name !== '') return { name, range };
		const { path } = parseFile(range);
		return { name: readPackage(sync, inside(project, path)).name, range: `file:${path}` };
	});
	const wanted: PackageManifest = structuredClone(manifest);
	const places = asked.map(({ name, range }) => {
		const known = DEPENDENCY_KINDS.find((kind) => manifest[kind]?.[name] !== undefined);
		const kind = options.save === 'auto' || options.save === null ? (known ?? 'dependencies') : options.save;
		for (const other of DEPENDENCY_KINDS) if (other !== kind && options.save !== 'auto') delete wanted[other]?.[name];
		wanted[kind] = { ...wanted[kind], [name]: range || (manifest[kind]?.[name] ?? '*') };
		if (range === '' && manifest[kind]?.[name] === undefined) wanted[kind][name] = '*';
		return { name, range, kind };
	});
	const root = await install(
		{ ...installation },
		wanted,
		asked.map(({ name }) => name)
	);
	if (asked.length === 0 || options.save === null || options.dryRun) return 0;
	const saved: Record<string, Record<string, string>> = {};
	for (const { name, kind } of places) {
		const node = root.children.get(name);
		const range = wanted[kind]?.[name] ?? '';
		if (node) (saved[kind] ??= {})[name] = savedRange(name, range, node.version, options);
		if (node && wanted[kind]) wanted[kind][name] = saved[kind]?.[name] ?? range;
	}
	editPackage(sync, project, saved, options.save === 'auto' ? [] : asked.map(({ name }) => name));
	// The lockfile contains the ranges as they are saved.
	await install({ ...installation, options: { ...options, silent: true, lockOnly: true } }, readPackage(sync, project));
	return 0;
}

/** `npm ci`. @returns the exit code */
export async function ciCommand(installation: Installation): Promise<number> {
	findManifest(installation.context.sync, installation.project);
	await cleanInstall(installation, readPackage(installation.context.sync, installation.project));
	return 0;
}

/** `npm uninstall package…`. @returns the exit code */
export async function uninstallCommand(installation: Installation, words: string[]): Promise<number> {
	if (words.length === 0) throw new NpmError('EUSAGE', 'Say which package to remove: npm uninstall <package>');
	const { context, project, member } = installation;
	editPackage(context.sync, member, {}, words);
	await install(installation, readPackage(context.sync, project), words);
	return 0;
}

/** `npm update [package…]`: installs the newest versions that the ranges allow. @returns the exit code */
export async function updateCommand(installation: Installation, words: string[]): Promise<number> {
	const manifest = readPackage(installation.context.sync, installation.project);
	await install(installation, manifest, words.length > 0 ? words : 'all');
	return 0;
}

function parseFile(range: string): { path: string } {
	const spec = parseSpec('', range);
	return { path: spec.kind === 'file' ? spec.path : range };
}
