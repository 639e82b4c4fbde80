import { basename } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';

const USAGE = 'update-server-info [-f | --force]';

/** `git update-server-info`: writes the lists that clients of a dumb server need. */
export const updateServerInfo: Command = (git, args) => {
	const options = parseOptions(USAGE, args, { force: '-f --force' });
	if (options.operands.length > 0) throw new GitError(`usage: git ${USAGE}`, 129);
	writeServerInfo(git.repository);
	return 0;
};

/** Writes the lists of refs and packs if they changed. */
export function writeServerInfo(repository: Repository): void {
	const { files, commonDir, objects, refs } = repository;
	const rows = refs.list('refs/').flatMap(({ name, id }) => {
		const peeled = repository.peeled(id);
		return [`${id}\t${name}\n`, ...(peeled === id ? [] : [`${peeled}\t${name}^{}\n`])];
	});
	const newestFirst = [...objects.packs].sort((a, b) => files.stat(b.path).modifiedMs - files.stat(a.path).modifiedMs);
	const packs = newestFirst.map(({ path }) => `P ${basename(path)}\n`);
	writeChanged(`${commonDir}/info`, 'refs', rows.join(''));
	writeChanged(`${objects.directory}/info`, 'packs', `${packs.join('')}\n`);

	function writeChanged(directory: string, name: string, text: string): void {
		const before = missingAsNull(() => files.readFile(`${directory}/${name}`));
		if (before && decode(before) === text) return;
		files.mkdir(directory, { recursive: true });
		files.writeFile(`${directory}/${name}`, encode(text));
	}
}
