import { integerOf } from '../config/values.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { PackReceiver } from '../objects/pack-receiver.ts';
import { requireRight } from '../objects/strict-pack.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'unpack-objects [-n] [-q] [-r] [--strict]';
const READ_BYTES = 65_536;

/** `git unpack-objects`: writes each object of the pack on stdin as a loose object. */
export const unpackObjects: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		dryRun: '-n',
		quiet: '-q',
		// Ignored: a pack is read completely before objects are written, so nothing of a broken pack is recovered.
		recover: '-r',
		strict: '--strict ?',
		mostBytes: '--max-input-size ='
	});
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const { objects } = git.repository;
	const receiver = new PackReceiver((id) => objects.find(id), true);
	const most = integerOf(options.get('mostBytes') ?? '0') ?? 0;
	let size = 0;
	for (let bytes = git.context.sync.read(0, READ_BYTES); bytes.length > 0;) {
		size += bytes.length;
		if (most > 0 && size > most) throw fatal('pack exceeds maximum allowed size');
		receiver.push(bytes);
		bytes = git.context.sync.read(0, READ_BYTES);
	}
	if (size === 0) throw fatal('early EOF');
	receiver.finish();
	if (options.has('strict'))
		requireRight(receiver, objects, {
			err: (text) => git.err(text),
			levels: (kind) => git.repository.config.get(`fsck.${kind}`)
		});
	if (!options.has('dryRun')) for (const { type, content } of receiver.contents()) objects.write(type, content);
	return 0;
};
