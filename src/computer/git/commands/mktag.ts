import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { faultLevel, findFaults } from '../objects/object-faults.ts';
import { parseOptions } from '../options.ts';

/** `git mktag`: writes the tag object on stdin if it is valid. */
export const mktag: Command = (git, args) => {
	const options = parseOptions('mktag', args, { strict: '--strict !' });
	const isStrict = !options.isTakenBack('strict');
	const { objects, config } = git.repository;
	const content = git.input();
	let hasError = false;
	const report = (kind: string, text: string): boolean => {
		const level = faultLevel(
			kind,
			isStrict,
			(name) => config.get(`fsck.${name}`) ?? (kind === 'extraHeaderEntry' ? 'warn' : undefined)
		);
		if (level === 'ignore') return false;
		// Faults that are only warnings in existing tags are errors in a new tag.
		const isError = isStrict || level === 'error';
		hasError ||= isError;
		git.err(`${isError ? 'error' : 'warning'}: tag input does not pass fsck: ${kind}: ${text}\n`);
		return isError;
	};
	findFaults('tag', content, report, { isStrict });
	if (hasError) throw fatal('tag on stdin did not pass our strict fsck check');
	const [, id = '', type = ''] = /^object ([0-9a-f]{40})\ntype (\w+)\n/.exec(decode(content)) ?? [];
	const found = objects.find(id);
	if (!found) throw fatal(`could not read tagged object '${id}'`);
	if (found.type !== type) throw fatal(`object '${id}' tagged as '${type}', but is a '${found.type}' type`);
	git.out(`${objects.write('tag', content)}\n`);
	return 0;
};
