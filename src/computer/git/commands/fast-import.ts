import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { ImportStream } from '../history/import-stream.ts';
import { isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { peel } from '../refs/revision.ts';

/** `git fast-import`: creates commits from a stream that another program writes. */
export const fastImport: Command = (git, args) => {
	const options = parseOptions('fast-import [<options>]', args, {
		quiet: '--quiet',
		force: '--force',
		done: '--done',
		importMarks: '--import-marks =',
		importMarksIfExists: '--import-marks-if-exists =',
		exportMarks: '--export-marks =',
		dateFormat: '--date-format ='
	});
	const format = options.get('dateFormat') ?? 'raw';
	if (format !== 'raw' && format !== 'raw-permissive')
		throw fatal(`dates are read here as 'raw' only, not as '${format}'`);
	const stream = new ImportStream(git.repository, git.input(), (text) => git.out(text));
	for (const file of options.all('importMarks')) readMarks(git, stream, file);
	for (const file of options.all('importMarksIfExists'))
		if (git.context.sync.statOrNull(absolute(file, git.cwd))) readMarks(git, stream, file);
	stream.run(options.has('done'));
	let code = 0;
	for (const [ref, id] of stream.results()) if (!update(git, ref, id, options.has('force'))) code = 1;
	const marks = options.get('exportMarks');
	if (marks !== undefined) {
		const lines = [...stream.marks].map(([mark, id]) => `${mark} ${id}\n`);
		git.context.sync.writeFile(absolute(marks, git.cwd), encode(lines.join('')));
	}
	return code;
};

/** Updates a ref, unless it would lose commits. Returns whether it did. */
function update(git: Invocation, ref: string, id: string, force: boolean): boolean {
	const { repository } = git;
	const before = repository.refs.resolve(ref);
	const [old, next] = [before === null ? null : peel(repository, before, 'commit'), peel(repository, id, 'commit')];
	if (!force && old !== null && next !== null && !isAncestor(repository, old, next)) {
		git.err(`warning: Not updating ${ref} (new tip ${id} does not contain ${before})\n`);
		return false;
	}
	repository.refs.update(ref, id, 'fast-import');
	return true;
}

function readMarks(git: Invocation, stream: ImportStream, file: string): void {
	const path = absolute(file, git.cwd);
	if (git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`cannot read '${file}': No such file or directory`);
	for (const line of decode(git.context.sync.readFile(path)).split('\n')) {
		const [mark = '', id = ''] = line.split(' ');
		if (mark !== '') stream.addMark(mark, id);
	}
}
