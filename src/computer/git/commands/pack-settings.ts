import { FILE_BYTES } from '#computer/abi/limits.ts';
import { integerOf } from '../config/values.ts';
import { fatal, GitError } from '../errors.ts';
import type { PackHow } from '../objects/build-pack.ts';
import { USUAL_INDEX, type IndexVersion } from '../objects/write-pack-index.ts';
import type { Options } from '../options.ts';
import type { Config } from '../config/config.ts';

/** Options for building packs. */
export const PACK_OPTIONS = {
	window: '--window =',
	depth: '--depth =',
	compression: '--compression =',
	mostBytes: '--max-pack-size =',
	indexVersion: '--index-version =',
	// Ignored: threads, memory limits and reuse of existing packs only affect speed.
	untouched: '--threads --window-memory --name-hash-version --delta-cache-size --delta-cache-limit =',
	unneeded:
		'--progress --no-progress --all-progress --all-progress-implied -q --quiet --no-reuse-delta --no-reuse-object ' +
		'--sparse --no-sparse --use-bitmap-index --no-use-bitmap-index --write-bitmap-index --no-write-bitmap-index ' +
		'--write-bitmap-index-quiet --keep-true-parents --delta-islands'
};

const MEGABYTE = 1024 * 1024;

/** Pack settings from options, then from the configuration. @throws GitError for invalid values */
export function packHow(
	config: Config,
	options: Options<keyof typeof PACK_OPTIONS>,
	warn: (text: string) => void
): Omit<PackHow, 'usesOffsets'> {
	const number = (name: 'window' | 'depth', usual: number): number => {
		const text = options.get(name) ?? config.get(`pack.${name}`);
		if (text === undefined) return usual;
		const value = integerOf(text);
		if (value === null) throw new GitError(`error: option \`${name}' expects a numerical value`, 129);
		return value;
	};
	const level = Number(
		options.get('compression') ?? config.get('pack.compression') ?? config.get('core.compression') ?? -1
	);
	if (!Number.isInteger(level) || level < -1 || level > 9) throw fatal(`bad pack compression level ${level}`);
	const asked = options.get('mostBytes') ?? config.get('pack.packsizelimit');
	let mostBytes = asked === undefined ? 0 : (integerOf(asked) ?? NaN);
	if (Number.isNaN(mostBytes))
		throw new GitError(
			`error: option \`max-pack-size' expects a non-negative integer value with an optional k/m/g suffix`,
			129
		);
	if (mostBytes > 0 && mostBytes < MEGABYTE) {
		warn('minimum pack size limit is 1 MiB');
		mostBytes = MEGABYTE;
	}
	return {
		...{ window: number('window', 10), depth: Math.min(number('depth', 50), 4095), level },
		// Files here have a maximum size.
		mostBytes: Math.min(mostBytes > 0 ? mostBytes : Infinity, FILE_BYTES),
		indexVersion: indexVersion(options.get('indexVersion') ?? config.get('pack.indexversion'))
	};
}

/** Parses an index version `<version>[,<offset>]`. @throws GitError if it is invalid or unsupported */
export function indexVersion(text: string | undefined): IndexVersion {
	if (text === undefined) return USUAL_INDEX;
	const [, version, offset] = /^(\d+)(?:,(0x[0-9a-f]+|\d+))?$/i.exec(text) ?? [];
	if (version === undefined) throw fatal(`bad index version '${text}'`);
	if (version !== '1' && version !== '2') throw fatal(`unsupported index version ${version}`);
	return { version: version === '1' ? 1 : 2, largeFrom: offset === undefined ? USUAL_INDEX.largeFrom : Number(offset) };
}
