import { decode } from '../bytes.ts';
import { parseConfig } from '../config/config-file.ts';
import { booleanOf } from '../config/values.ts';
import { missingAsNull } from '../objects/store.ts';
import { isDirectory } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** Submodule as configured in `.gitmodules`. */
export interface Module {
	name: string;
	path: string;
	url?: string;
	branch?: string;
	/** Update strategy. */
	update?: string;
	/** Recommends a shallow clone. */
	isShallow?: boolean;
	/** Choice of `fetchRecurseSubmodules`: when a fetch includes it. */
	fetches?: string;
}

const FILE = '.gitmodules';

/** Checks whether a submodule name is valid: it must not lead out of its directory. */
export const isModuleName = (name: string): boolean =>
	name !== '' && !name.split(/[/\\]/).includes('..') && !name.startsWith('/');

/** Path of the file that lists the submodules of a repository. */
export const modulesFile = ({ root }: Pick<Repository, 'root'>): string => `${root}/${FILE}`;

/** Submodules of `.gitmodules` by path: of the working tree, or else as staged or committed. */
export function modulesOf(repository: Repository): Map<string, Module> {
	const file = modulesFile(repository);
	const stat = repository.isBare ? null : lstatOrNull(repository, file);
	if (stat?.kind === 'file') return parseModules(missingAsNull(() => repository.files.readFile(file)));
	if (stat) return new Map();
	const staged = repository.index.get(FILE);
	if (staged) return parseModules(repository.objects.find(staged.id)?.content ?? null);
	const head = repository.head();
	return head === null ? new Map() : modulesIn(repository, repository.commit(head).tree);
}

/** The same by name. */
export const modulesByName = (repository: Repository): Map<string, Module> =>
	new Map([...modulesOf(repository).values()].map((module) => [module.name, module]));

/** Submodules of the file `.gitmodules` of a tree by path. */
export function modulesIn({ objects }: Repository, tree: string): Map<string, Module> {
	const entry = objects.tree(tree).find(({ name, mode }) => name === FILE && !isDirectory(mode));
	return parseModules(entry ? (objects.find(entry.id)?.content ?? null) : null);
}

/** Submodules of a file by path, without entries that only make sense as an attack. */
function parseModules(bytes: Uint8Array | null): Map<string, Module> {
	const byName = new Map<string, Partial<Record<string, string>>>();
	for (const { key, value } of bytes ? parseConfig(decode(bytes)) : []) {
		const [, name = '', field = ''] = /^submodule\.(.+)\.([^.]+)$/s.exec(key) ?? [];
		if (!isModuleName(name) || value.startsWith('-')) continue;
		byName.set(name, { ...byName.get(name), [field]: value });
	}
	const modules = new Map<string, Module>();
	for (const [name, { path, url, branch, update, shallow, fetchrecursesubmodules }] of byName) {
		if (path === undefined) continue;
		modules.set(path.replace(/\/$/, ''), {
			...{ name, path: path.replace(/\/$/, '') },
			...(url !== undefined && { url }),
			...(branch !== undefined && { branch }),
			...(update !== undefined && !update.startsWith('!') && { update }),
			...(booleanOf(shallow ?? '') === true && { isShallow: true }),
			...(fetchrecursesubmodules !== undefined && { fetches: fetchrecursesubmodules })
		});
	}
	return modules;
}

/** Returns whether a submodule is active: by its own setting, by `submodule.active`, or because it has a URL. */
export function isActive(repository: Repository, { name, path }: Module): boolean {
	const { config } = repository;
	const own = config.get(`submodule.${name}.active`);
	if (own !== undefined) return booleanOf(own) === true;
	const active = config.values('submodule.active');
	if (active.length > 0)
		return new Pathspec(
			repository,
			active.map((one) => `:(top)${one}`)
		).matches(path);
	return config.get(`submodule.${name}.url`) !== undefined;
}
