import { install, type Installation } from '../install/install.ts';
import { inside } from '../manifest.ts';
import { DEPENDENCY_KINDS } from '../registry/packument.ts';
import { pickVersion } from '../registry/pick.ts';
import { parseArgument, parseSpec } from '../registry/spec.ts';
import { membersOf } from '../members.ts';
import { readPackage } from '../tree/package.ts';
import { editPackage, savedRange } from './edit-package.ts';

/**
 * `npm install package…` in a package of a larger project: adds them to its own package.json, and to the `node_modules`
 * of the project.
 * @returns the exit code
 */
export async function addToMember(installation: Installation, words: string[]): Promise<number> {
	const { context, project, member, options } = installation;
	const { sync } = context;
	const manifest = readPackage(sync, member);
	const siblings = membersOf(sync, project).map(({ name }) => name);
	const saved: Record<string, Record<string, string>> = {};
	for (const word of words) {
		const { name, range } = parseArgument(word);
		const known = DEPENDENCY_KINDS.find((kind) => manifest[kind]?.[name] !== undefined);
		const kind = options.save === 'auto' || options.save === null ? (known ?? 'dependencies') : options.save;
		const isSibling = siblings.includes(name) && (range === '' || range.startsWith('workspace:'));
		(saved[kind] ??= {})[name] = isSibling ? range || '*' : await rangeToSave(installation, name, range);
	}
	const file = inside(member, 'package.json');
	const before = sync.readFile(file);
	editPackage(sync, member, saved, options.save === 'auto' ? [] : Object.values(saved).flatMap(Object.keys));
	try {
		await install(installation, readPackage(sync, project));
	} catch (error) {
		sync.writeFile(file, before);
		throw error;
	}
	return 0;
}

async function rangeToSave({ registry, options }: Installation, name: string, range: string): Promise<string> {
	const spec = parseSpec(name, range || '*');
	if (spec.kind === 'file' || spec.kind === 'workspace') return range;
	const [published, wanted] = spec.kind === 'alias' ? [spec.name, spec.spec] : [name, spec];
	const { version } = pickVersion(await registry.packument(published), wanted);
	return savedRange(name, range, version, options);
}
