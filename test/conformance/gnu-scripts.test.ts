import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseRules } from './gawk.ts';
import { gnuScripts, grepTables } from './gnu-scripts.ts';

it("makes a case of each script in gnulib's frame and of each line of a table", async () => {
	const folder = await mkdtemp(path.join(tmpdir(), 'scripts-'));
	const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
	try {
		await mkdir(path.join(folder, 'tests/cp'), { recursive: true });
		await write('.tarball-version', '9.1\n');
		await write('tests/init.sh', 'fail=0\n');
		await write('tests/cp/links.sh', '#!/bin/sh\n. "${srcdir=.}/tests/init.sh"; path_prepend_ ./src\nExit $fail\n');
		await write('tests/cp/table.pl', '. "${srcdir=.}/tests/init.sh"\n');
		await write('tests/bre.tests', '# pattern\n0@a*@aaa\n1@b@a@TO CORRECT\n');
		for (const name of ['ere', 'spencer1']) await write(`tests/${name}.tests`, '');
		const suite = gnuScripts({ name: 'coreutils', folder: 'tests', program: 'ls', tables: grepTables });
		const { cases, files, version } = await suite.load(folder);
		expect(version).toBe('9.1');
		expect(cases.map(({ name, group }) => [name, group])).toEqual([
			['cp/links.sh', 'cp'],
			['bre 2: a* aaa', 'bre']
		]);
		expect(Object.keys(files)).not.toContain('tests/cp/table.pl');
	} finally {
		await rm(folder, { recursive: true });
	}
});

it("makes a case of each rule that runs gawk, in the shell's words", () => {
	const rules =
		'addcomma:\n\t@echo $@\n\t@-AWKPATH="$(srcdir)" $(AWK) -f $@.awk >_$@ 2>&1 || echo EXIT CODE: $$? >>_$@\n' +
		'\t@-$(CMP) "$(srcdir)"/$@.ok _$@ && rm -f _$@\n\nother:\n\t@echo $@\n';
	const [first, ...others] = parseRules(rules);
	expect(others).toEqual([]);
	expect(first?.name).toBe('addcomma');
	expect(first?.script).toContain(
		'AWKPATH="$srcdir" gawk -f addcomma.awk >_addcomma 2>&1 || echo EXIT CODE: $? >>_addcomma'
	);
	expect(first?.script).not.toContain('CMP');
});
