import { SYMLINK_TYPE, TYPE_BITS } from '#computer/abi/file-types.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import { decode } from '#computer/process/text.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { compress, decompress } from './compression.ts';
import { placeOf } from './extraction.ts';
import { type NewZipMember, ZipKind, ZipWriter } from './zip-writer.ts';

interface ZipMember {
	name: string;
	bytes: () => Promise<Uint8Array>;
	size: number;
	packed: number;
	modified: Date;
	mode: number;
	symlink: boolean;
}

/** @throws Error if there is no central directory at the end */
function readZip(bytes: Uint8Array): ZipMember[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	let end = bytes.length - 22;
	while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end--;
	if (end < 0) throw new Error('End-of-central-directory signature not found');
	const members: ZipMember[] = [];
	let at = view.getUint32(end + 16, true);
	for (let left = view.getUint16(end + 10, true); left > 0; left--) {
		if (view.getUint32(at, true) !== 0x02014b50) throw new Error('bad zipfile offset');
		const [method, time, date] = [
			view.getUint16(at + 10, true),
			view.getUint16(at + 12, true),
			view.getUint16(at + 14, true)
		];
		const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
		const nameLength = view.getUint16(at + 28, true);
		const name = decode(bytes.subarray(at + 46, at + 46 + nameLength));
		const attributes = view.getUint32(at + 38, true) >>> 16;
		const local = view.getUint32(at + 42, true);
		const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
		const content = bytes.subarray(start, start + packed);
		if (method !== 0 && method !== 8) throw new Error(`compression method ${method} is not known here`);
		const modified = new Date(
			1980 + (date >> 9),
			((date >> 5) & 15) - 1,
			date & 31,
			time >> 11,
			(time >> 5) & 63,
			(time & 31) * 2
		);
		members.push({
			name,
			size,
			packed,
			modified,
			mode: attributes & 0o777,
			symlink: (attributes & TYPE_BITS) === SYMLINK_TYPE,
			bytes: async () => (method === 0 ? content.slice() : decompress(content, 'deflate-raw'))
		});
		at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
	}
	return members;
}

/** `unzip`. */
export const unzip = utility('l p d= q o n x= j v t u a', async (call, options) => {
	const { shell } = call;
	const { sync } = shell.host.context;
	const [archive, ...rest] = options.operands;
	if (archive === undefined) throw new UsageError('usage: unzip [-lpqo] archive.zip [files] [-d directory]');
	const excluded = options.all('x').map((glob) => globRegExp(glob));
	const patterns = rest.map((glob) => globRegExp(glob));
	const path = [archive, `${archive}.zip`]
		.map((name) => shell.path(name))
		.find((one) => sync.statOrNull(one)?.kind === 'file');
	if (path === undefined) {
		await call.complain(`cannot find or open ${archive}, ${archive}.zip or ${archive}.ZIP.`);
		return 9;
	}
	let members: ZipMember[];
	try {
		members = readZip(sync.readFile(path));
	} catch (error) {
		await call.complain(`${archive}: ${error instanceof Error ? error.message : String(error)}`);
		return 9;
	}
	members = members.filter(
		({ name }) =>
			(patterns.length === 0 || patterns.some((one) => one.test(name))) && !excluded.some((one) => one.test(name))
	);
	if (members.length === 0 && patterns.length) {
		await call.complain(`caution: filename not matched:  ${rest.join(' ')}`);
		return 11;
	}
	if (options.has('l', 'v')) {
		await call.out(listing(archive, members));
		return 0;
	}
	if (options.has('p')) {
		for (const member of members) await shell.descriptors.require(1).write(await member.bytes());
		return 0;
	}
	return extract(call, options, archive, members);
});

function listing(archive: string, members: readonly ZipMember[]): string {
	const two = (value: number) => String(value).padStart(2, '0');
	const rows = members.map(({ name, size, modified: at }) => {
		const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
		return `${String(size).padStart(9)}  ${day} ${two(at.getHours())}:${two(at.getMinutes())}   ${name}\n`;
	});
	const total = members.reduce((sum, { size }) => sum + size, 0);
	return (
		`Archive:  ${archive}\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n${rows.join('')}` +
		`---------                     -------\n${String(total).padStart(9)}                     ${members.length} file${members.length === 1 ? '' : 's'}\n`
	);
}

/** Extracts members below the directory of `-d`. Links come last, so that no member is written through one. */
async function extract(call: Call, options: Options, archive: string, members: readonly ZipMember[]): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	if (!options.has('q')) await call.out(`Archive:  ${archive}\n`);
	const base = options.get('d') ?? '';
	const place = shell.path(base || '.');
	if (base && !sync.statOrNull(place)) sync.mkdir(place, { recursive: true });
	const links: Link[] = [];
	let status = 0;
	for (const member of members) {
		const parts = member.name.split('/').filter((part) => part && part !== '.');
		if (parts.includes('..')) {
			await call.complain(`warning:  skipped "../" path component(s) in ${member.name}`);
			status = 1;
			continue;
		}
		const name = options.has('j') ? (parts.at(-1) ?? '') : parts.join('/');
		const shown = base ? `${base.replace(/\/$/, '')}/${name}` : name;
		try {
			const link = await extractMember(call, options, member, place, options.has('j') ? [name] : parts, shown);
			if (link) links.push(link);
		} catch (error) {
			await call.complain(`${shown}: ${reason(error)}`);
			status = 2;
		}
	}
	for (const { to, path } of links) {
		try {
			sync.symlink(to, path);
		} catch (error) {
			await call.complain(`${path}: ${reason(error)}`);
			status = 2;
		}
	}
	return status;
}

interface Link {
	to: string;
	path: string;
}

/** Extracts one member; a link is returned, to be created at the end. */
async function extractMember(
	call: Call,
	options: Options,
	member: ZipMember,
	place: string,
	parts: string[],
	shown: string
): Promise<Link | null> {
	const { sync } = call.shell.host.context;
	if (member.name.endsWith('/')) {
		if (options.has('j')) return null;
		if (!options.has('q')) await call.out(`   creating: ${shown}/\n`);
		const directory = placeOf(sync, place, parts);
		if (!sync.statOrNull(directory)) sync.mkdir(directory);
		return null;
	}
	const target = placeOf(sync, place, parts);
	if (sync.statOrNull(target) && options.has('n')) return null;
	const bytes = await member.bytes();
	const verb = member.packed === member.size ? ' extracting' : '  inflating';
	if (!options.has('q')) await call.out(`${verb}: ${shown.padEnd(22)}  \n`);
	// Replaces a link, and never follows it.
	if (sync.statOrNull(target)?.kind !== 'directory') sync.remove(target, { force: true });
	if (member.symlink) return { to: decode(bytes), path: target };
	sync.writeFile(target, bytes);
	if (member.mode) sync.chmod(target, member.mode);
	sync.utimes(target, member.modified.getTime(), member.modified.getTime());
	return null;
}

/** `zip`, also with `-r`. Existing entries of the archive are preserved or replaced. */
export const zip = utility(
	'r|recurse-paths q|quiet j|junk-paths 0 1 2 3 4 5 6 7 8 9 x|exclude= i|include= d m y u f FS',
	async (call, options) => {
		const { shell } = call;
		const { sync } = shell.host.context;
		const [given, ...names] = options.operands;
		if (given === undefined || names.length === 0) throw new UsageError('Nothing to do!');
		const archive = /\.\w+$/.test(given) ? given : `${given}.zip`;
		const excluded = options.all('x').map((glob) => globRegExp(glob));
		const found = await membersOf(call, options, names, shell.path(archive));
		const entries = found.filter(({ name }) => !excluded.some((one) => one.test(name)));
		if (entries.length === 0) {
			await call.complain(`error: Nothing to do! (${archive})`);
			return 12;
		}
		const writer = new ZipWriter();
		const path = shell.path(archive);
		const replaced = new Set(entries.map(({ name }) => name));
		if (sync.statOrNull(path)) {
			for (const member of readZip(sync.readFile(path))) {
				if (replaced.has(member.name)) continue;
				const content = await member.bytes();
				writer.add({
					name: member.name,
					content,
					packed: await compress(content, 'deflate-raw'),
					isDeflated: true,
					modified: member.modified,
					mode: member.mode,
					kind: member.symlink ? ZipKind.link : ZipKind.file
				});
			}
		}
		for (const { name, path: from } of entries) {
			const member = await memberOf(sync, from, name, !options.has('0'));
			writer.add(member);
			const { length } = member.content;
			const saved = length ? Math.round((1 - member.packed.length / length) * 100) : 0;
			if (!options.has('q'))
				await call.out(`  adding: ${name} (${member.isDeflated ? 'deflated' : 'stored'} ${saved}%)\n`);
		}
		sync.writeFile(path, writer.finish(), { mode: 0o666 & ~shell.umask });
		return 0;
	}
);

interface FoundFile {
	name: string;
	path: string;
}

/** Files named by the operands, with `-r` including everything below them, except the archive itself. */
async function membersOf(call: Call, options: Options, names: string[], archive: string): Promise<FoundFile[]> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const found: FoundFile[] = [];
	const add = (path: string, name: string): void => {
		const stat = sync.stat(path);
		if (stat.kind === 'directory') {
			if (name !== '' && !options.has('j')) found.push({ name: `${name}/`, path });
			if (!options.has('r')) return;
			for (const entry of sync.readdir(path))
				add(`${path}/${entry.name}`, name === '' ? entry.name : `${name}/${entry.name}`);
		} else if (path !== archive) found.push({ name: options.has('j') ? (name.split('/').at(-1) ?? name) : name, path });
	};
	for (const name of names) {
		if (!sync.statOrNull(shell.path(name))) await call.complain(`warning: name not matched: ${name}`);
		else add(shell.path(name), name.replace(/^(\.\/)+|^\/+|\/+$/g, '').replace(/^\.$/, ''));
	}
	return found;
}

/** Reads a file into a member, deflated if that is smaller. */
async function memberOf(sync: SyncSyscalls, path: string, name: string, deflates: boolean): Promise<NewZipMember> {
	const stat = sync.stat(path);
	const isFile = stat.kind === 'file';
	const content = isFile ? sync.readFile(path) : new Uint8Array();
	const deflated = content.length && deflates ? await compress(content, 'deflate-raw') : content;
	const isDeflated = deflated.length < content.length;
	return {
		name,
		content,
		packed: isDeflated ? deflated : content,
		isDeflated,
		modified: new Date(stat.modifiedMs),
		mode: stat.mode & 0o777,
		kind: isFile ? ZipKind.file : ZipKind.directory
	};
}
