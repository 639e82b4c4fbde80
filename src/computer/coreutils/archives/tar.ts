import { open, reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import { modeText } from '../files/modes.ts';
import { type Options, parseOptions, UsageError } from '../options.ts';
import { compress, decompress, isGzip } from './compression.ts';
import { placeOf } from './extraction.ts';
import { readTar, type TarMember, writeTar } from '#environment/archive/tar-format.ts';

const SPECIFICATION =
	'c|create x|extract|get t|list r|append u|update z|gzip|gunzip j|bzip2 J|xz a|auto-compress f|file= C|directory= v|verbose O|to-stdout exclude= X|exclude-from= ' +
	'strip-components= p|preserve-permissions|same-permissions k|keep-old-files h|dereference m|touch T|files-from= wildcards overwrite no-same-owner ' +
	'owner= group= numeric-owner sort= mtime= transform|xform= null totals P|absolute-names no-recursion format= exclude-vcs S W w skip-old-files';

/** `tar`: makes, lists and unpacks archives, through gzip where it is asked for or found. */
export const tar: BuiltIn = async (call) => {
	try {
		const [first = '', ...rest] = call.args;
		// `tar czf a.tgz dir`: the old way to write the options.
		const args = first && !first.startsWith('-') ? oldStyle(first, rest) : call.args;
		const options = parseOptions(args, SPECIFICATION);
		const modes = ['c', 'x', 't', 'r', 'u'].filter((mode) => options.has(mode));
		if (modes.length !== 1)
			throw new UsageError("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options");
		if (options.has('j', 'J')) throw new UsageError('only gzip can be used here (-z), not bzip2 or xz');
		if (modes[0] === 'c' || modes[0] === 'r' || modes[0] === 'u') return await create(call, options, modes[0] !== 'c');
		return await read(call, options);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		return 2;
	}
};

function oldStyle(letters: string, rest: readonly string[]): string[] {
	const values = [...rest];
	const args = [...letters].flatMap((letter) =>
		/[fCXTb]/.test(letter) ? [`-${letter}`, values.shift() ?? ''] : [`-${letter}`]
	);
	return [...args, ...values];
}

/** Patterns of `--exclude` and of the files that `-X` names. */
function excludedBy({ shell }: Call, options: Options): RegExp[] {
	const listed = options.all('X').flatMap((name) => {
		try {
			return decode(shell.host.context.sync.readFile(shell.path(name)))
				.split('\n')
				.filter(Boolean);
		} catch (error) {
			throw new UsageError(`${name}: ${reason(error)}`);
		}
	});
	return [...options.all('exclude'), ...listed].map((glob) => globRegExp(glob.replace(/\/$/, '')));
}

const shownMember = (member: TarMember, options: Options) => {
	if (options.given.filter(({ name }) => name === 'v').length + (options.has('t') ? 1 : 0) < 2)
		return `${member.name}\n`;
	const kind = member.kind === 'hardlink' ? 'file' : member.kind;
	const time = new Date(member.modifiedMs).toISOString().slice(0, 16).replace('T', ' ');
	const link = member.kind === 'symlink' ? ` -> ${member.target}` : '';
	return `${modeText({ kind, mode: member.mode })} user/user ${String(member.bytes.length).padStart(9)} ${time} ${member.name}${link}\n`;
};

async function create(call: Call, options: Options, append: boolean): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const members: TarMember[] = [];
	const file = options.get('f') ?? '-';
	const excluded = excludedBy(call, options);
	let status = 0;
	let base = shell.cwd;
	const verbose = options.has('v');
	const skipped = (name: string) =>
		excluded.some(
			(one) =>
				one.test(name) ||
				name
					.split('/')
					.some((_part, index, parts) => one.test(parts.slice(index).join('/')) || one.test(parts[index] ?? ''))
		);
	const add = async (path: string, name: string): Promise<void> => {
		if (skipped(name.replace(/^\.\//, '').replace(/\/$/, ''))) return;
		const stat = options.has('h') ? sync.stat(path) : sync.lstat(path);
		if (path === shell.path(file) && stat.kind === 'file') return;
		const shown = stat.kind === 'directory' ? `${name.replace(/\/$/, '')}/` : name;
		if (stat.kind === 'fifo') return;
		const member: TarMember = {
			name: options.has('P') ? shown : shown.replace(/^\/+/, ''),
			kind: stat.kind,
			mode: stat.mode & 0o7777,
			modifiedMs: stat.modifiedMs,
			target: stat.kind === 'symlink' ? sync.readlink(path) : '',
			bytes: stat.kind === 'file' ? sync.readFile(path) : new Uint8Array()
		};
		members.push(member);
		if (verbose) {
			const text = `${shown}\n`;
			if (file === '-') await shell.descriptors.get(2)?.write(encode(text));
			else await call.out(text);
		}
		if (stat.kind !== 'directory' || options.has('no-recursion')) return;
		for (const entry of sync.readdir(path)) await add(`${path}/${entry.name}`, `${shown}${entry.name}`);
	};
	const names = [...options.operands];
	for (const list of options.all('T'))
		names.push(
			...new TextDecoder()
				.decode(list === '-' ? await shell.descriptors.require(0).readAll() : sync.readFile(shell.path(list)))
				.split(options.has('null') ? '\0' : '\n')
				.filter(Boolean)
		);
	if (names.length === 0) throw new UsageError('Cowardly refusing to create an empty archive');
	const directory = options.get('C');
	if (directory !== undefined) base = shell.path(directory);
	for (const name of names) {
		try {
			await add(name.startsWith('/') ? name : `${base}/${name}`.replace(/\/\.?$/, ''), name);
		} catch (error) {
			await call.complain(`${name}: Cannot stat: ${reason(error)}`);
			status = 2;
		}
	}
	if (append && sync.statOrNull(shell.path(file))) members.unshift(...readTar(sync.readFile(shell.path(file))));
	let bytes = writeTar(members);
	if (options.has('z') || (options.has('a') && /\.(tgz|gz)$/.test(file))) bytes = await compress(bytes, 'gzip');
	if (file === '-') await shell.descriptors.require(1).write(bytes);
	else sync.writeFile(shell.path(file), bytes, { mode: 0o666 & ~shell.umask });
	if (status) await call.complain('Exiting with failure status due to previous errors');
	return status;
}

async function read(call: Call, options: Options): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const file = options.get('f') ?? '-';
	let members: TarMember[];
	try {
		let bytes =
			file === '-' ? await shell.control.race(shell.descriptors.require(0).readAll()) : await readArchive(call, file);
		if (isGzip(bytes)) bytes = await decompress(bytes, 'gzip');
		members = readTar(bytes);
	} catch (error) {
		await call.complain(`${file}: Cannot open: ${reason(error).replace(`${file}: `, '')}`);
		await call.complain('Error is not recoverable: exiting now');
		return 2;
	}
	const patterns = options.operands.map((name) => name.replace(/\/$/, ''));
	const globs = patterns.map((name) => (options.has('wildcards') ? globRegExp(name) : null));
	const excluded = excludedBy(call, options);
	const found = new Set<string>();
	const wanted = (name: string) => {
		const plain = name.replace(/\/$/, '');
		if (
			excluded.some(
				(one) =>
					one.test(plain) ||
					plain.split('/').some((part, index, parts) => one.test(part) || one.test(parts.slice(0, index + 1).join('/')))
			)
		)
			return false;
		if (patterns.length === 0) return true;
		const match = patterns.find(
			(pattern, index) => plain === pattern || plain.startsWith(`${pattern}/`) || globs[index]?.test(plain)
		);
		if (match !== undefined) found.add(match);
		return match !== undefined;
	};
	const strip = options.number('strip-components', 0);
	const base = options.has('C') ? shell.path(options.get('C') ?? '') : shell.cwd;
	let status = 0;
	const dated: [path: string, ms: number, mode: number][] = [];
	for (const member of members) {
		if (!wanted(member.name)) continue;
		if (options.has('t') || options.has('v')) await call.out(shownMember(member, options));
		if (options.has('t')) continue;
		if (options.has('O')) {
			if (member.kind === 'file') await shell.descriptors.require(1).write(member.bytes);
			continue;
		}
		const parts = member.name
			.split('/')
			.filter((part) => part && part !== '.')
			.slice(strip);
		if (parts.length === 0) continue;
		if (parts.includes('..')) {
			await call.complain(`${member.name}: Member name contains '..', skipping`);
			status = 2;
			continue;
		}
		try {
			const path = placeOf(sync, base, parts);
			extract(call, member, path, base, options);
			if (!options.has('m') && member.kind !== 'symlink') dated.push([path, member.modifiedMs, member.mode]);
		} catch (error) {
			await call.complain(`${member.name}: Cannot open: ${reason(error)}`);
			status = 2;
		}
	}
	for (const [path, ms] of dated.reverse()) if (sync.statOrNull(path)) sync.utimes(path, ms, ms);
	for (const pattern of patterns) {
		if (found.has(pattern)) continue;
		await call.complain(`${pattern}: Not found in archive`);
		status = 2;
	}
	return status;
}

/** An archive by name, also one that is no file but a descriptor of the shell. */
async function readArchive(call: Call, name: string): Promise<Uint8Array> {
	const input = open(call.shell, name, '<');
	try {
		return await call.shell.control.race(input.readAll());
	} finally {
		input.release();
	}
}

function extract(call: Call, member: TarMember, path: string, base: string, options: Options): void {
	const { sync } = call.shell.host.context;
	if (member.kind === 'directory') {
		if (sync.statOrNull(path)?.kind !== 'directory') sync.mkdir(path, { mode: member.mode });
		return;
	}
	const there = sync.statOrNull(path);
	if (there && options.has('k')) throw new Error('File exists');
	if (there?.kind !== 'directory') sync.remove(path, { force: true });
	if (member.kind === 'symlink') sync.symlink(member.target, path);
	else if (member.kind === 'hardlink') {
		const target = member.target.split('/').filter((part) => part && part !== '.');
		if (target.includes('..')) throw new Error(`${member.target}: hard link target contains '..'`);
		sync.link(placeOf(sync, base, target), path);
	} else {
		sync.writeFile(path, member.bytes.slice());
		sync.chmod(path, options.has('p') ? member.mode : member.mode & ~call.shell.umask);
	}
}
