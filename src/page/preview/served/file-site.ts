import type { ExecutionEnvironment, LocalResponse } from '#environment/contract.ts';
import { t } from '../../strings/index.ts';
import { mediaType } from '../media-types.ts';
import { join } from '../site-files.ts';
import { notice, whole, type Site, type SiteRequest } from './answer.ts';

/** A site made of the project's files, with the folder of one document as its root. */
export class FileSite implements Site {
	/**
	 * @param folder relative to the working directory
	 * @param documentAt returns the displayed form of a document, which may be bundled
	 */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly folder: string,
		private readonly documentAt: (path: string) => Promise<string>
	) {}

	async answer({ method, target, isNavigation }: SiteRequest): Promise<LocalResponse> {
		if (method !== 'GET' && method !== 'HEAD') return notice(405, t.preview.filesOnly, t.preview.filesOnlyWhy(method));
		const address = decodeURIComponent(target.replace(/[?#].*$/, ''));
		const path = await this.#find(address);
		if (path === null) return notice(404, t.preview.notFound, t.preview.notFoundWhy(address));
		if (isNavigation && /\.html?$/i.test(path)) return whole(200, mediaType(path), await this.documentAt(path));
		return whole(200, mediaType(path), await this.environment.readBytes(path));
	}

	/** Finds the file for a URL, as static servers do. */
	async #find(address: string): Promise<string | null> {
		for (const folder of new Set([this.folder, '', 'public'])) {
			for (const tried of [address, `${address}/index.html`, `${address}.html`]) {
				const path = join(folder, tried);
				if (path !== null && path !== '' && (await this.#isFile(path))) return path;
			}
		}
		return null;
	}

	async #isFile(path: string): Promise<boolean> {
		if (/(^|\/)(\.git|\.env[^/]*)(\/|$)/.test(path)) return false;
		try {
			return (await this.environment.stat(path)).kind === 'file';
		} catch {
			return false;
		}
	}
}
