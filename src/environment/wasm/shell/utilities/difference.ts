import { reason } from '../execution/redirections.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import { decode } from '../streams/text.ts';
import { library } from '../tools/library.ts';

/** `diff` of two files: normal and unified output. Directories (`-r`) are left to just-bash. */
export const diff: BuiltIn = async (call) => {
	const { shell } = call;
	let context: number | null = null;
	let quiet = false;
	let ignore: (line: string) => string = (line) => line;
	const names: string[] = [];
	for (let index = 0; index < call.args.length; index++) {
		const arg = call.args[index] ?? '';
		if (arg === '-u' || arg === '--unified') context = 3;
		else if (/^(-U|--unified=)\d*$/.test(arg)) context = Number(/\d+$/.exec(arg)?.[0] ?? call.args[++index] ?? 3);
		else if (arg === '-q' || arg === '--brief') quiet = true;
		else if (arg === '-w') ignore = (line) => line.replace(/\s+/g, '');
		else if (arg === '-b') ignore = (line) => line.replace(/\s+/g, ' ').trimEnd();
		else if (arg === '-i') ignore = (line) => line.toLowerCase();
		else if (/^-./.test(arg) && arg !== '--') return shell.host.tools.run(shell, 'diff', call.args);
		else if (arg !== '--') names.push(arg);
	}
	const [from = '', to = ''] = names;
	if (names.length !== 2) {
		await call.complain(`missing operand after '${from}'`);
		return 2;
	}
	const texts: string[] = [];
	for (const name of names) {
		const text = await contentOf(call, name);
		if (text === null) return 2;
		texts.push(text);
	}
	const [before = '', after = ''] = texts;
	if (splitLines(before).map(ignore).join('') === splitLines(after).map(ignore).join('')) return 0;
	if (quiet) await call.out(`Files ${from} and ${to} differ\n`);
	else
		await call.out(context === null ? normal(before, after, ignore) : unified(call, from, to, before, after, context));
	return 1;
};

async function contentOf(call: Call, name: string): Promise<string | null> {
	const { shell } = call;
	try {
		return decode(
			name === '-' ? await shell.descriptors.require(0).readAll() : shell.host.context.sync.readFile(shell.path(name))
		);
	} catch (error) {
		await call.complain(`${name}: ${reason(error)}`);
		return null;
	}
}

/** Lines with their ends. */
const splitLines = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const shown = (line: string, sign: string) =>
	`${sign} ${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;

function normal(before: string, after: string, ignore: (line: string) => string): string {
	const changes = library().diffArrays(splitLines(before), splitLines(after), {
		comparator: (a, b) => ignore(a) === ignore(b)
	});
	const range = (start: number, size: number) => (size > 1 ? `${start},${start + size - 1}` : String(start));
	let output = '';
	let [oldLine, newLine] = [1, 1];
	for (let index = 0; index < changes.length; index++) {
		const change = changes[index];
		if (!change) break;
		if (!change.added && !change.removed) {
			oldLine += change.value.length;
			newLine += change.value.length;
			continue;
		}
		const next = changes[index + 1];
		const paired = next && next.added !== change.added && (next.added || next.removed);
		const removed = change.removed ? change.value : paired && next.removed ? next.value : [];
		const added = change.added ? change.value : paired && next.added ? next.value : [];
		if (paired) index++;
		const kind = removed.length === 0 ? 'a' : added.length === 0 ? 'd' : 'c';
		const oldRange = removed.length === 0 ? String(oldLine - 1) : range(oldLine, removed.length);
		const newRange = added.length === 0 ? String(newLine - 1) : range(newLine, added.length);
		output += `${oldRange}${kind}${newRange}\n${removed.map((line) => shown(line, '<')).join('')}`;
		output += `${kind === 'c' ? '---\n' : ''}${added.map((line) => shown(line, '>')).join('')}`;
		oldLine += removed.length;
		newLine += added.length;
	}
	return output;
}

function unified(call: Call, from: string, to: string, before: string, after: string, context: number): string {
	const patch = library().structuredPatch(from, to, before, after, '', '', { context });
	const range = (start: number, size: number) =>
		size === 1 ? String(start) : `${size === 0 ? start - 1 : start},${size}`;
	const hunks = patch.hunks.map((hunk) => {
		const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
		return head + hunk.lines.map((line) => `${line}\n`).join('');
	});
	return `--- ${from}\t${stamp(call, from)}\n+++ ${to}\t${stamp(call, to)}\n${hunks.join('')}`;
}

function stamp(call: Call, name: string): string {
	const stat = name === '-' ? null : call.shell.host.context.sync.statOrNull(call.shell.path(name));
	const time = new Date(stat?.modifiedMs ?? Date.now()).toISOString();
	return `${time.slice(0, 10)} ${time.slice(11, 23)}000000 +0000`;
}
