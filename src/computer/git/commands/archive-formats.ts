import type { Config } from '../config/config.ts';
import { booleanOf } from '../config/values.ts';
import { fatal } from '../errors.ts';

/** Format of an archive. */
export interface ArchiveFormat {
	name: string;
	base: 'tar' | 'zip';
	isGzip: boolean;
	/** Filter command that the tar archive is piped through. */
	command: string | null;
}

/** Name of the built-in compression in settings. */
const BUILT_IN = 'git archive gzip';

/** Archive formats: built-in ones and those configured with `tar.<format>.command`. */
export class ArchiveFormats {
	readonly #formats = new Map<string, ArchiveFormat>();

	constructor(config: Config | null, isRemote: boolean) {
		this.#add({ name: 'tar', base: 'tar', isGzip: false, command: null });
		const served = new Map<string, boolean>([
			['tgz', true],
			['tar.gz', true]
		]);
		const programs = new Map([
			['tgz', BUILT_IN],
			['tar.gz', BUILT_IN]
		]);
		for (const { key, value } of config?.all() ?? []) {
			const [, name, variable] = /^tar\.(.+)\.(command|remote)$/s.exec(key) ?? [];
			if (name === undefined) continue;
			if (variable === 'command') programs.set(name, value);
			else served.set(name, booleanOf(value) ?? false);
		}
		for (const [name, command] of programs) {
			if (command === '' || (isRemote && served.get(name) !== true)) continue;
			this.#add({ name, base: 'tar', isGzip: command === BUILT_IN, command: command === BUILT_IN ? null : command });
		}
		this.#add({ name: 'zip', base: 'zip', isGzip: false, command: null });
	}

	#add(format: ArchiveFormat): void {
		this.#formats.set(format.name, format);
	}

	names(): string[] {
		return [...this.#formats.keys()];
	}

	/** Requested format, or the one that matches the file's extension. @throws GitError if the format is unknown */
	chosen(asked: string | undefined, file: string): ArchiveFormat {
		const byName = this.names().find((name) => file.length > name.length + 1 && file.endsWith(`.${name}`));
		const found = this.#formats.get(asked ?? byName ?? 'tar');
		if (!found) throw fatal(`Unknown archive format '${asked ?? ''}'`);
		return found;
	}
}
