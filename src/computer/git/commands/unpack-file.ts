import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { resolveRevision } from '../refs/revision.ts';

const USAGE = 'unpack-file <blob>';
const NAME_LETTERS = 6;

/** `git unpack-file`: writes a blob to a new file in the working directory and prints the file's name. */
export const unpackFile: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {});
	const [name, ...more] = options.operands;
	if (name === undefined || more.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const { objects, files, cwd } = git.repository;
	const id = resolveRevision(git.repository, name);
	const found = objects.find(id);
	if (found?.type !== 'blob') throw fatal(`unable to read blob object ${id}`);
	for (let number = git.context.pid; ; number++) {
		const file = `.merge_file_${number.toString(36).padStart(NAME_LETTERS, 'a').slice(-NAME_LETTERS)}`;
		if (files.statOrNull(`${cwd}/${file}`)) continue;
		files.writeFile(`${cwd}/${file}`, found.content, { mode: 0o600, exclusive: true });
		git.out(`${file}\n`);
		return 0;
	}
};
