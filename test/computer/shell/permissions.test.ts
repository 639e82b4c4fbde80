import { expect, it } from 'vitest';
import { ShellInMemory } from './in-memory.ts';

/**
 * Output of bash 5.2 and GNU tools for a user who owns the files and is not root; the machine's own user may be root.
 */
const FACTS: [script: string, stdout: string][] = [
	[
		'echo a >f; chmod 0 f; cat f; head f; sort f; echo b >f; echo b >>f; [ -r f ]; echo $?',
		"cat: f: Permission denied\nhead: cannot open 'f' for reading: Permission denied\nsort: cannot read: f: Permission denied\nbash: line 1: f: Permission denied\nbash: line 1: f: Permission denied\n1\n"
	],
	[
		'echo a >f; chmod 077 f; [ -r f -o -w f -o -x f ]; echo $?; chmod 700 f; [ -r f -a -w f -a -x f ]; echo $?',
		'1\n0\n'
	],
	[
		'echo a >f; chmod 400 f; sort -o f /dev/null; cat f; chmod 200 f; sort -o new f; ls',
		'sort: open failed: f: Permission denied\na\nsort: cannot read: f: Permission denied\nf\n'
	],
	[
		'export LC_ALL=C; mkdir f; cd f; mkdir -p D/e; touch D/a D/b; chmod 0 D/a; chmod 500 D; cp -pR D E; echo $?; ls -l E | cut -c1-10; stat -c %a E; touch a F; chmod 0 a; cp a b; cp --attributes-only a c; echo $?; mkdir x; ln -s x/y l; chmod 0 x; cp F l; cp -t l F; chmod 700 D E x',
		"cp: cannot open 'D/a' for reading: Permission denied\n1\ntotal 4\n-rw-r--r--\ndrwxr-xr-x\n500\ncp: cannot open 'a' for reading: Permission denied\ncp: cannot open 'a' for reading: Permission denied\n1\ncp: cannot stat 'l': Permission denied\ncp: target directory 'l': Permission denied\n"
	],
	[
		'[ -w /usr ] || echo no; [ -O / ] || echo no; [ -G /etc/passwd ] || echo no; touch /; touch f; [ -w . -a -O f ]; echo $?; [ -w /dev/null ]; echo $?',
		"no\nno\nno\ntouch: setting times of '/': Permission denied\n0\n0\n"
	],
	[
		'mkdir d; >d/f; chmod 666 d; for path in d d/ d/. d/.. d/f; do [ -e $path ]; echo $? $path; done; cd d',
		'0 d\n0 d/\n1 d/.\n1 d/..\n1 d/f\nbash: line 1: cd: d: Permission denied\n'
	]
];

it('keeps the owner of a file to its permissions', async () => {
	for (const [script, stdout] of FACTS) {
		const result = await new ShellInMemory().run(`exec 2>&1; ${script}`);
		expect(result.stdout.toString(), script).toBe(stdout);
	}
});
