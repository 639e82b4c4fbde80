import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Maps URLs of a site to files of the project: `/x` is below the document's own folder, the project, or `public`. */
export class SiteFiles {
	/** @param entry document of the site, relative to the working directory */
	constructor(
		readonly environment: ExecutionEnvironment,
		readonly entry: string
	) {}

	/**
	 * Resolves a URL in a document or style sheet.
	 * @param from the file that contains it, relative to the working directory
	 * @returns a path relative to the working directory; `null` for remote URLs and missing files
	 */
	async find(address: string, from: string): Promise<string | null> {
		if (isElsewhere(address)) return null;
		const path = decode(address.replace(/[?#].*$/, ''));
		if (path === '') return null;
		const folder = path.startsWith('/') ? [folderOf(this.entry), '', 'public'] : [folderOf(from)];
		for (const base of folder) {
			const found = join(base, path);
			if (found !== null && (await this.#isFile(found))) return found;
		}
		return null;
	}

	async #isFile(path: string): Promise<boolean> {
		try {
			return (await this.environment.stat(path)).kind !== 'directory';
		} catch {
			// There is no file to show, whatever the reason.
			return false;
		}
	}
}

/** Returns true for a URL with a scheme or host, or one that is only a fragment. */
export function isElsewhere(address: string): boolean {
	return /^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(address);
}

export function folderOf(path: string): string {
	return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Joins and normalizes a path; `null` if it leaves the project. */
export function join(folder: string, path: string): string | null {
	const parts: string[] = [];
	for (const part of `${folder}/${path}`.split('/')) {
		if (part === '' || part === '.') continue;
		if (part !== '..') parts.push(part);
		else if (parts.pop() === undefined) return null;
	}
	return parts.join('/');
}

function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		// A stray percent sign is part of the name.
		return path;
	}
}
