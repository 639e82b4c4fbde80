import { decode } from '../bytes.ts';
import { parseConfig } from '../config/config-file.ts';
import { booleanOf } from '../config/values.ts';
import { missingAsNull } from '../objects/store.ts';
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
}

/** Checks whether a submodule name is valid: it must not lead out of its directory. */
export const isModuleName = (name: string): boolean =>
	name !== '' && !name.split(/[/\\]/).includes('..') && !name.startsWith('/');

/** Path of the file that lists the submodules of a repository. */
export const modulesFile = ({ root }: Pick<Repository, 'root'>): string => `${root}/.gitmodules`;

/** Submodules of `.gitmodules` by path, without entries that only make sense as an attack. */
export function modulesOf(repository: Repository): Map<string, Module> {
	const file = modulesFile(repository);
	const isFile = lstatOrNull(repository, file)?.kind === 'file';
	const bytes = isFile ? missingAsNull(() => repository.files.readFile(file)) : null;
	const byName = new Map<string, Partial<Record<string, string>>>();
	for (const { key, value } of bytes ? parseConfig(decode(bytes)) : []) {
		const [, name = '', field = ''] = /^submodule\.(.+)\.([^.]+)$/s.exec(key) ?? [];
		if (!isModuleName(name) || value.startsWith('-')) continue;
		byName.set(name, { ...byName.get(name), [field]: value });
	}
	const modules = new Map<string, Module>();
	for (const [name, { path, url, branch, update, shallow }] of byName) {
		if (path === undefined) continue;
		modules.set(path.replace(/\/$/, ''), {
			...{ name, path: path.replace(/\/$/, '') },
			...(url !== undefined && { url }),
			...(branch !== undefined && { branch }),
			...(update !== undefined && !update.startsWith('!') && { update }),
			...(booleanOf(shallow ?? '') === true && { isShallow: true })
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
