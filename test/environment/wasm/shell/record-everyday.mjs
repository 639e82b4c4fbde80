// Records what real bash answers to everyday-commands.txt: node record-everyday.mjs
// Each command runs in a fresh copy of the files below, with the C locale. ⏎ stands for a line end.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = path.dirname(new URL(import.meta.url).pathname);
const files = {
	'a.txt': 'apple\nbanana\ncherry\n',
	'b.txt': 'banana\nbanana\napple\ndate\n',
	'numbers.txt': '10\n9\n100\n1\n',
	'data.csv': 'name,city,age\nann,rome,31\nbob,oslo,22\n',
	'README.md': '# Title\n\ntext\n',
	'package.json': '{"name":"demo","scripts":{"test":"x","build":"y"}}\n',
	'src/main.js': 'const needle = 1;\n',
	'src/lib/util.js': '// needle here\nexport const a = 2;\n'
};
const commands = readFileSync(path.join(here, 'everyday-commands.txt'), 'utf8').trimEnd().split('\n');
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C', TZ: 'UTC' };
const cases = commands.map((line) => {
	const directory = mkdtempSync('/tmp/record-');
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
		writeFileSync(path.join(directory, name), text);
	}
	const command = line.replaceAll('⏎', '\n');
	const { stdout, status } = spawnSync('/bin/bash', ['-c', command], {
		cwd: directory,
		env,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore']
	});
	rmSync(directory, { recursive: true });
	return { command, stdout, exitCode: status };
});
const version = execFileSync('/bin/bash', ['-c', 'echo $BASH_VERSION'], { encoding: 'utf8' }).trim();
writeFileSync(
	path.join(here, 'everyday.json'),
	`${JSON.stringify({ recordedWith: `bash ${version}`, files, cases }, null, '\t')}\n`
);
