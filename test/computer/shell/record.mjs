// Records the output of real bash and GNU tools for the lines and scripts in cases/: node record.mjs [theme …] Each
// runs in a fresh copy of its theme's files, in the C locale, with stdin empty. `%%` separates the cases.
import { execFileSync, spawnSync } from 'node:child_process';
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	readlinkSync,
	rmSync,
	writeFileSync
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const THEMES = {
	basics: 'small',
	text: 'project',
	files: 'project',
	language: 'project',
	idioms: 'project',
	functions: 'project',
	background: 'project',
	day: 'project',
	agents: 'service'
};
const fixtures = JSON.parse(readFileSync(path.join(here, 'cases/fixtures.json'), 'utf8'));
const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/home/user', LC_ALL: 'C', TZ: 'UTC', USER: 'user' };

const casesOf = (theme) =>
	readFileSync(path.join(here, `cases/${theme}.txt`), 'utf8')
		.replace(/\n$/, '')
		.split('\n%%\n');

/** Runs a command. `files`: files it created or changed (`null`: removed). */
function answer(theme, command) {
	const files = fixtures[THEMES[theme]];
	const root = mkdtempSync('/tmp/record-');
	for (const [name, text] of Object.entries(files)) {
		const file = path.join(root, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, text);
		chmodSync(file, 0o644);
	}
	const before = tree(root);
	const { stdout, status } = spawnSync('/bin/bash', ['-c', command], {
		cwd: root,
		env,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		timeout: 20_000
	});
	const after = tree(root);
	const changed = {};
	for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
		if (before[name] !== after[name]) changed[name] = after[name] ?? null;
	}
	spawnSync('chmod', ['-R', 'u+rwX', root]);
	rmSync(root, { recursive: true, force: true });
	return { command, stdout, exitCode: status, files: Object.keys(changed).length ? changed : undefined };
}

/**
 * Path → content; a directory ends in `/`, the content of a link starts with `->`, that of an executable file with
 * `+x`.
 */
function tree(root, at = '', found = {}) {
	for (const entry of readdirSync(path.join(root, at)).sort()) {
		const name = at ? `${at}/${entry}` : entry;
		const stat = lstatSync(path.join(root, name));
		if (stat.isSymbolicLink()) found[name] = `-> ${readlinkSync(path.join(root, name))}`;
		else if (stat.isDirectory()) tree(root, name, Object.assign(found, { [`${name}/`]: '' }));
		else found[name] = `${stat.mode & 0o100 ? '+x ' : ''}${content(readFileSync(path.join(root, name)))}`;
	}
	return found;
}

/** Text unchanged; for anything else only that it exists: archives contain times. */
function content(bytes) {
	const text = bytes.toString('utf8');
	return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? '(binary)' : text;
}

const version = execFileSync('/bin/bash', ['-c', 'echo $BASH_VERSION'], { encoding: 'utf8' }).trim();
for (const theme of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(THEMES)) {
	const cases = casesOf(theme).map((command) => answer(theme, command));
	const recorded = { recordedWith: `bash ${version}`, fixture: THEMES[theme], cases };
	mkdirSync(path.join(here, 'recorded'), { recursive: true });
	writeFileSync(path.join(here, `recorded/${theme}.json`), `${JSON.stringify(recorded, null, '\t')}\n`);
	console.log(theme, cases.length);
}
