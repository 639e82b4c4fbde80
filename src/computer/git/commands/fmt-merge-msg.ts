import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { askedLog, formatMergeMessage } from '../merge/merge-message.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'fmt-merge-msg [-m <message>] [--log[=<n>] | --no-log] [--file <file>]';

export const fmtMergeMsg: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		log: '--log --summary ? !',
		message: '-m --message =',
		into: '--into-name =',
		file: '-F --file ='
	});
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const file = options.get('file');
	const path = file === undefined || file === '-' ? null : absolute(file, git.cwd);
	if (path !== null && git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`cannot open '${file}': No such file or directory`);
	const text = decode(path === null ? git.input() : git.context.sync.readFile(path));
	git.out(
		formatMergeMessage(git.repository, text, {
			title: options.get('message'),
			log: askedLog(options),
			into: options.get('into'),
			creditsPeople: true
		})
	);
	return 0;
};
