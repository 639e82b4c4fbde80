import { decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { serializeTree, typeOfMode, type TreeEntry } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import { unquotePath } from '../unquote-path.ts';

/** `git mktree`: creates a tree from lines in the format of `ls-tree`. */
export const mktree: Command = (git, args) => {
	const options = parseOptions('mktree [-z] [--missing] [--batch]', args, {
		zero: '-z',
		missing: '--missing',
		batch: '--batch'
	});
	const end = options.has('zero') ? '\0' : '\n';
	const lines = decode(git.input()).split(end);
	if (lines.at(-1) === '') lines.pop();
	let entries: TreeEntry[] = [];
	const write = () => git.out(`${git.repository.objects.write('tree', serializeTree(entries))}\n`);
	for (const line of lines) {
		if (line === '' && options.has('batch')) {
			write();
			entries = [];
		} else entries.push(parseTreeLine(git, line, options.has('missing'), options.has('zero')));
	}
	if (!options.has('batch') || entries.length > 0) write();
	return 0;
};

/**
 * Parses a line in the format of `ls-tree`.
 *
 * @param mayMiss accepts objects that do not exist
 * @param isPlain names are not quoted
 */
export function parseTreeLine(git: Invocation, line: string, mayMiss: boolean, isPlain: boolean): TreeEntry {
	const [, mode, type, id, raw] = /^([0-7]+) (\w+) ([0-9a-f]{40})(?: +(?:\d+|-))?\t(.*)$/s.exec(line) ?? [];
	if (mode === undefined || id === undefined || raw === undefined) throw fatal(`input format error: ${line}`);
	const entry = { mode: Number.parseInt(mode, 8), id, name: raw.startsWith('"') && !isPlain ? unquotePath(raw) : raw };
	if (entry.name.includes('/')) throw fatal(`path ${entry.name} contains slash`);
	if (typeOfMode(entry.mode) !== type)
		throw fatal(`entry '${entry.name}' object type (${type}) doesn't match mode type (${typeOfMode(entry.mode)})`);
	if (mayMiss || type === 'commit') return entry;
	const found = git.repository.objects.find(id);
	if (!found) throw fatal(`entry '${entry.name}' object ${id} is unavailable`);
	if (found.type !== type)
		throw fatal(`entry '${entry.name}' object ${id} is a ${found.type} but specified type was (${type})`);
	return entry;
}
