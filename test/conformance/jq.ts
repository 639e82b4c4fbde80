import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { filesBelow } from './files-below.ts';
import type { Case, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Programs for which the location of modules matters. */
const USES_MODULES = /\b(?:import|include|modulemeta)\b/;

/** jq's own tests, compared with the machine's jq. */
export const jq: Suite = {
	name: 'jq',
	title: "jq's tests",
	place: 'SANDGLASS_SUITE_JQ',
	repository: 'https://github.com/jqlang/jq',
	sourcePackage: 'jq',
	causes: [[/range\((?:9999|1000\d)/, "needs data nested 10,000 deep: jq's stack has 1 MB here, 8 MB natively"]],
	async load(folder) {
		const files: Record<string, string> = {};
		for await (const name of filesBelow(folder, 'tests/modules'))
			files[name] = await readFile(path.join(folder, name), 'utf8');
		const version = versionLine('jq');
		return {
			version: version.replace('jq-', ''),
			native: version,
			cases: parseCases(await readFile(path.join(folder, 'tests/jq.test'), 'utf8')),
			files,
			isCase: ({ status }) => status !== 127,
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin' })
		};
	}
};

/**
 * Reads blocks of lines: a program, its input and its output, or after `%%FAIL` a program that is refused. Only program
 * and input are used; the real program determines the output.
 */
export function parseCases(text: string): Case[] {
	const cases: Case[] = [];
	const known = new Map<string, number>();
	for (const block of text.split(/\n(?:[ \t]*\n)+/)) {
		const lines = block.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
		const isRefused = /^%%FAIL/.test(lines[0] ?? '');
		const [program, input = 'null'] = isRefused ? [lines[1]] : lines;
		if (program === undefined) continue;
		const count = (known.get(program) ?? 0) + 1;
		known.set(program, count);
		cases.push({
			name: count > 1 ? `${program} (${count})` : program,
			group: isRefused ? 'programs that are refused' : 'programs',
			script: `printf "%s\\n" "$SUITE_INPUT" | jq -c ${USES_MODULES.test(program) ? '-L "$SUITE_ROOT/tests/modules" ' : ''}"$SUITE_PROGRAM"`,
			env: { SUITE_PROGRAM: program, SUITE_INPUT: input }
		});
	}
	return cases;
}
