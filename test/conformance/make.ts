import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Case, Suite } from './suite.ts';
import { versionLine } from './version-line.ts';

/** Kinds of tests for make itself: not for guile, loaded objects and other systems. */
const FOLDERS = ['features', 'functions', 'misc', 'options', 'targets', 'variables'];
const OTHER =
	/^(?:features\/(?:load|loadapi|jobserver|output-sync|parallelism|archives)|functions\/guile|options\/dash-l)$/;

/** Largest file of a test's folder to include. */
const FILE_CHARS = 65_536;

/** Replaces make while the tests run natively: records folder, arguments and variables, then runs the real one. */
const RECORDER = `#!/usr/bin/perl
use strict; use warnings; use JSON::PP; use Cwd;
my %files; my %times;
sub visit { my ($dir, $prefix) = @_;
	opendir(my $h, $dir) or return; my @names = sort grep { !/^\\.\\.?$/ } readdir $h; closedir $h;
	for my $name (@names) { my $path = "$dir/$name";
		next if $prefix eq "" && $name =~ /^(?:scripts|run_make_tests|README|ChangeLog|guile\\.supp|mkshadow|null\\.mk|.*\\.(?:pl|pm|in|bat|W32|com))$/;
		if (-d $path && !-l $path) { $files{"$prefix$name/"} = ""; visit($path, "$prefix$name/"); }
		elsif (-f $path && -s $path <= ${FILE_CHARS}) { open(my $f, '<', $path) or next; local $/; $files{"$prefix$name"} = <$f> // ""; $times{"$prefix$name"} = (stat $path)[9]; }
	}
}
if (!$ENV{MAKELEVEL} && "@ARGV" !~ /^-v$|(?:null|make|shell|features)\\.mk/) {
	visit(getcwd(), "");
	open(my $log, '>>', "$0.calls") or die;
	my %env = map { $_ => $ENV{$_} } grep { !/^(?:PATH|HOME|PWD|OLDPWD|SHLVL|_|LANG|LC_ALL|TMPDIR)$/ } keys %ENV;
	print $log JSON::PP->new->ascii->canonical->encode({ cwd => getcwd(), argv => [@ARGV], files => \\%files, times => \\%times, env => \\%env }), "\\n";
}
exec { '/usr/bin/make' } $0, @ARGV;
`;

interface Recorded {
	cwd: string;
	argv: string[];
	files: Record<string, string>;
	times: Record<string, number>;
	env: Record<string, string>;
}

/** make's own tests: every call of make in them, in the folder's state at that time. */
export const make: Suite = {
	name: 'make',
	title: "make's tests",
	place: 'SANDGLASS_SUITE_MAKE',
	repository: 'https://git.savannah.gnu.org/cgit/make.git',
	sourcePackage: 'make-dfsg',
	async load(folder) {
		const cases: Case[] = [];
		const files: Record<string, string> = {};
		for (const [test, calls] of await recorded(path.resolve(folder)))
			for (const [index, call] of calls.entries()) {
				if (/\bperl\b|thelp\.pl/.test(JSON.stringify(call))) continue;
				const at = `work/${cases.length}`;
				for (const [name, text] of Object.entries(call.files))
					if (!name.endsWith('/')) files[`${at}/${name}`] = text.replaceAll(call.cwd, '@FOLDER@');
				cases.push(caseOf(`${test} ${index + 1}`, at, call));
			}
		const native = versionLine('make');
		return {
			version: native.replace('GNU Make ', ''),
			native,
			cases,
			files,
			isCase: ({ status }) => status !== null && status < 126,
			env: (root) => ({ SUITE_ROOT: root, PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' })
		};
	}
};

/** Age of the files relative to the recording: make prints how far ahead of the clock a time is. */
const DAY_SECONDS = 86_400;

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A call of make in a copy of the folder's recorded state, with the times of the files. */
export function caseOf(name: string, at: string, { cwd, argv, files, times, env }: Recorded): Case {
	const here = (word: string) => quoted(word.replaceAll(cwd, '@FOLDER@')).replaceAll('@FOLDER@', `'"$PWD"'`);
	const lines = [`cd _tmp`];
	for (const folder of Object.keys(files)) if (folder.endsWith('/')) lines.push(`mkdir -p ${quoted(folder)}`);
	if (Object.keys(times).length > 0) lines.push(`cp -R "$SUITE_ROOT/${at}/." .`, 'chmod -R u+w .');
	const moved = Object.keys(files).filter((file) => files[file]?.includes(cwd));
	if (moved.length > 0) lines.push(`sed -i "s|@FOLDER@|$PWD|g" ${moved.map(quoted).join(' ')}`);
	for (const [file, seconds] of Object.entries(times)) lines.push(`touch -d @${seconds - DAY_SECONDS} ${quoted(file)}`);
	const settings = Object.entries(env).map(([key, value]) => `${key}=${here(value)}`);
	lines.push(`exec env ${[...settings, 'make', ...argv.map(here)].join(' ')} </dev/null 2>&1`);
	return { name, group: path.dirname(name.split(' ')[0] ?? ''), script: lines.join('\n') };
}

/** Calls of make by test. Recording takes minutes, so it is done once and saved next to the package's tests. */
async function recorded(folder: string): Promise<[test: string, calls: Recorded[]][]> {
	const kept = path.join(folder, 'recorded-calls.json');
	const before = await readFile(kept, 'utf8').catch(() => null);
	if (before !== null) return JSON.parse(before) as [string, Recorded[]][];
	const calls = [...(await record(folder))];
	await writeFile(kept, JSON.stringify(calls));
	return calls;
}

/** Runs the package's tests natively, and returns the calls of make by test. */
async function record(folder: string): Promise<Map<string, Recorded[]>> {
	const work = await mkdtemp(path.join(tmpdir(), 'conformance-make-'));
	const found = new Map<string, Recorded[]>();
	try {
		await cp(path.join(folder, 'tests'), path.join(work, 'tests'), { recursive: true });
		const template = await readFile(path.join(folder, 'tests/config-flags.pm.in'), 'utf8');
		await writeFile(path.join(work, 'tests/config-flags.pm'), template.replaceAll(/@\w+@/g, ''));
		await cp(path.join(folder, 'src/gnumake.h'), path.join(work, 'src/gnumake.h'));
		const recorder = path.join(work, 'make');
		await writeFile(recorder, RECORDER, { mode: 0o755 });
		for (const group of FOLDERS)
			for (const name of (await readdir(path.join(folder, 'tests/scripts', group))).sort()) {
				const test = `${group}/${name}`;
				if (OTHER.test(test)) continue;
				const log = `${recorder}.calls`;
				await rm(log, { force: true });
				spawnSync('perl', ['./run_make_tests.pl', '-srcdir', work, '-make', recorder, test], {
					cwd: path.join(work, 'tests'),
					stdio: 'ignore',
					timeout: 60_000
				});
				const text = await readFile(log, 'utf8').catch(() => '');
				found.set(
					test,
					text
						.split('\n')
						.filter(Boolean)
						.map((line): Recorded => JSON.parse(line) as Recorded)
				);
			}
		return found;
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}
