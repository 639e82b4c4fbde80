import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { PackIndex } from '../objects/pack-index.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'show-index [--object-format=<hash-algorithm>]';

/** `git show-index`: prints the pack index on stdin. */
export const showIndex: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { format: '--object-format =' });
	const format = options.get('format') ?? 'sha1';
	if (format !== 'sha1') throw new GitError('fatal: Unknown hash algorithm', 128);
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const index = new PackIndex(git.input());
	for (let place = 0; place < index.count; place++) {
		const crc = index.crcAt(place);
		const mark = crc === null ? '' : ` (${crc.toString(16).padStart(8, '0')})`;
		git.out(`${index.offsetAt(place)} ${index.idAt(place)}${mark}\n`);
	}
	return 0;
};
