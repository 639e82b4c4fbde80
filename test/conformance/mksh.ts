import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Case, LoadedSuite, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** A test in the suite's format: lines `field: value`, longer values indented by a tab. */
type Fields = ReadonlyMap<string, string>;

/** Creates a test's files, runs the shell, and checks the result the test expects. */
const RUN = `cd work && export PATH=/usr/local/bin:/usr/bin:/bin HOME="$PWD"
. "$SUITE_ROOT/$SUITE_TEST/setup"
set --
[ -e "$SUITE_ROOT/$SUITE_TEST/arguments" ] && mapfile -t -d '' arguments < "$SUITE_ROOT/$SUITE_TEST/arguments" && set -- "\${arguments[@]}"
env -u SUITE_ROOT -u SUITE_TEST bash "$@" < "$SUITE_ROOT/$SUITE_TEST/stdin" > ../out 2> ../err
e=$?
cat ../out
echo "status $e"
verdict=PASS
cmp -s ../out "$SUITE_ROOT/$SUITE_TEST/stdout" || verdict=FAIL
(($(cat "$SUITE_ROOT/$SUITE_TEST/exit"))) || verdict=FAIL
echo "verdict $verdict"
`;

/** mksh's tests of the language it shares with bash: only those that bash passes count. */
export const mksh: Suite = {
	name: 'mksh',
	title: "mksh's tests",
	place: 'SANDGLASS_SUITE_MKSH',
	repository: 'https://github.com/MirBSD/mksh',
	sourcePackage: 'mksh',
	async load(folder): Promise<LoadedSuite> {
		const files: Record<string, string> = { 'run.sh': RUN };
		const binaries: Record<string, string> = {};
		const cases: Case[] = [];
		const text = await readFile(path.join(folder, 'check.t'), 'latin1');
		for (const block of text.split(/^---\n/m)) {
			const fields = fieldsOf(block);
			const name = fields.get('name')?.trim();
			if (name === undefined || !isForAll(fields)) continue;
			const place = `tests/${cases.length}`;
			for (const [part, content] of Object.entries(partsOf(fields))) {
				const bytes = Buffer.from(content, 'latin1');
				if (isUtf8(bytes)) files[`${place}/${part}`] = bytes.toString('utf8');
				else binaries[`${place}/${part}`] = bytes.toString('base64');
			}
			cases.push({
				name,
				group: name.replace(/-.*/, ''),
				script: 'mkdir work && . "$SUITE_ROOT/run.sh"',
				env: { SUITE_TEST: place }
			});
		}
		const native = versionLine('bash');
		return {
			version: /KSH (R\d+\S*) /.exec(text)?.[1] ?? 'unknown',
			native,
			cases,
			files,
			binaries,
			isCase: ({ stdout }) => stdout.endsWith('\nverdict PASS\n'),
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin' })
		};
	}
};

/** Fields of a test. The tabs of multi-line values are removed. */
export function fieldsOf(block: string): Fields {
	const fields = new Map<string, string>();
	let last: string | null = null;
	for (const line of block.split('\n')) {
		const found = /^([a-z-]+):[ \t]*(.*)$/.exec(line);
		if (found) {
			const [, name = '', value = ''] = found;
			last = name;
			fields.set(name, value === '' ? (fields.get(name) ?? '') : `${value}\n`);
		} else if (last !== null && line.startsWith('\t')) {
			const before = fields.get(last) ?? '';
			fields.set(last, `${before}${line.slice(1)}\n`);
		}
	}
	return fields;
}

/** True if a test is for every shell, and needs no terminal, no Perl and no pattern that only Perl can read. */
const isForAll = (fields: Fields): boolean =>
	fields.get('need-ctty') === undefined &&
	!fields.has('perl-setup') &&
	!fields.has('expected-stdout-pattern') &&
	!/(?:^|,)\s*(?:shell|int|os|disabled|stdout-ed)/.test(fields.get('category') ?? '');

/** Text of a field; a lone `!` at the start means that it has no line end. */
const valueOf = (fields: Fields, name: string): string => {
	const text = fields.get(name) ?? '';
	return text.startsWith('!\n') ? text.slice(2).replace(/\n$/, '') : text;
};

/** Splits a list at its first character. */
const listOf = (text: string): string[] => (text === '' ? [] : text.trim().split(text.charAt(0)).slice(1, -1));

function partsOf(fields: Fields): Record<string, string> {
	const script = valueOf(fields, 'script');
	const args = [...listOf(fields.get('arguments') ?? ''), ...(script === '' ? [] : ['./script'])];
	const expected = (fields.get('expected-exit') ?? '0').trim();
	return {
		stdin: valueOf(fields, 'stdin'),
		stdout: valueOf(fields, 'expected-stdout'),
		setup: setupOf(fields) + (script === '' ? '' : `cat > script <<\\SUITE_SCRIPT\n${script}SUITE_SCRIPT\n`),
		exit: /^\d+$/.test(expected) ? `e == ${expected}` : expected,
		...(args.length === 0 ? {} : { arguments: args.map((word) => `${word}\0`).join('') })
	};
}

/** Shell commands that create a test's files and variables. */
function setupOf(fields: Fields): string {
	let script = '';
	const files = fields.get('file-setup') ?? '';
	for (const [, , kind, mode = '644', name = '', content = ''] of files.matchAll(
		/^(!?)(file|dir|symlink) (\d+) "([^"]*)"\n((?:(?!file \d|dir \d|symlink \d|!symlink).*\n)*)/gm
	)) {
		if (kind === 'dir') script += `mkdir '${name}'; chmod ${mode} '${name}'\n`;
		else if (kind === 'symlink') script += `ln -s '${content.trim()}' '${name}'\n`;
		else
			script += `cat > '${name}' <<\\SUITE_FILE\n${content.replace(/^\t/gm, '')}SUITE_FILE\nchmod ${mode} '${name}'\n`;
	}
	for (const variable of listOf(fields.get('env-setup') ?? '')) {
		const [name = '', value] = variable.split(/=(.*)/s);
		script += value === undefined ? `unset ${name}\n` : `export ${name}='${value.replaceAll("'", "'\\''")}'\n`;
	}
	return script;
}
