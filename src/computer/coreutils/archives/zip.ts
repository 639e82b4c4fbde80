import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import { concat, decode, encode } from '#computer/process/text.ts';
import { UsageError, utility } from '../options.ts';
import { compress, crc32, decompress } from './compression.ts';
import { placeOf } from './extraction.ts';

interface ZipMember {
	name: string;
	bytes: () => Promise<Uint8Array>;
	size: number;
	packed: number;
	modified: Date;
	mode: number;
	symlink: boolean;
}

/** @throws Error when there is no directory at the end */
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
			symlink: (attributes & 0o170000) === 0o120000,
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
		const two = (value: number) => String(value).padStart(2, '0');
		const rows = members.map(
			({ name, size, modified: at }) =>
				`${String(size).padStart(9)}  ${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}   ${name}\n`
		);
		const total = members.reduce((sum, { size }) => sum + size, 0);
		await call.out(
			`Archive:  ${archive}\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n${rows.join('')}---------                     -------\n${String(total).padStart(9)}                     ${members.length} file${members.length === 1 ? '' : 's'}\n`
		);
		return 0;
	}
	if (options.has('p')) {
		for (const member of members) await shell.descriptors.require(1).write(await member.bytes());
		return 0;
	}
	const quiet = options.has('q');
	if (!quiet) await call.out(`Archive:  ${archive}\n`);
	const base = options.get('d') ?? '';
	const place = shell.path(base || '.');
	if (base && !sync.statOrNull(place)) sync.mkdir(place, { recursive: true });
	const links: [to: string, path: string][] = [];
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
			if (member.name.endsWith('/')) {
				if (options.has('j')) continue;
				if (!quiet) await call.out(`   creating: ${shown}/\n`);
				const directory = placeOf(sync, place, parts);
				if (!sync.statOrNull(directory)) sync.mkdir(directory);
				continue;
			}
			const target = placeOf(sync, place, options.has('j') ? [name] : parts);
			if (sync.statOrNull(target) && options.has('n')) continue;
			const bytes = await member.bytes();
			if (!quiet)
				await call.out(`${member.packed === member.size ? ' extracting' : '  inflating'}: ${shown.padEnd(22)}  \n`);
			// In the place of a link, never through it; and links last, so that no other member leads through one.
			if (sync.statOrNull(target)?.kind !== 'directory') sync.remove(target, { force: true });
			if (member.symlink) links.push([decode(bytes), target]);
			else {
				sync.writeFile(target, bytes);
				if (member.mode) sync.chmod(target, member.mode);
				sync.utimes(target, member.modified.getTime(), member.modified.getTime());
			}
		} catch (error) {
			await call.complain(`${shown}: ${reason(error)}`);
			status = 2;
		}
	}
	for (const [to, path] of links) {
		try {
			sync.symlink(to, path);
		} catch (error) {
			await call.complain(`${path}: ${reason(error)}`);
			status = 2;
		}
	}
	return status;
});

/** `zip`, with `-r`. Existing entries of the archive are preserved or replaced. */
export const zip = utility(
	'r|recurse-paths q|quiet j|junk-paths 0 1 2 3 4 5 6 7 8 9 x|exclude= i|include= d m y u f FS',
	async (call, options) => {
		const { shell } = call;
		const { sync } = shell.host.context;
		const [given, ...names] = options.operands;
		if (given === undefined || names.length === 0) throw new UsageError('Nothing to do!');
		const archive = /\.\w+$/.test(given) ? given : `${given}.zip`;
		const excluded = options.all('x').map((glob) => globRegExp(glob));
		const found: { name: string; path: string }[] = [];
		const add = (path: string, name: string) => {
			const stat = sync.stat(path);
			if (stat.kind === 'directory') {
				if (name !== '' && !options.has('j')) found.push({ name: `${name}/`, path });
				if (options.has('r'))
					for (const entry of sync.readdir(path))
						add(`${path}/${entry.name}`, name === '' ? entry.name : `${name}/${entry.name}`);
			} else if (path !== shell.path(archive))
				found.push({ name: options.has('j') ? (name.split('/').at(-1) ?? name) : name, path });
		};
		for (const name of names) {
			if (!sync.statOrNull(shell.path(name))) await call.complain(`warning: name not matched: ${name}`);
			else add(shell.path(name), name.replace(/^(\.\/)+|^\/+|\/+$/g, '').replace(/^\.$/, ''));
		}
		const entries = found.filter(({ name }) => !excluded.some((one) => one.test(name)));
		if (entries.length === 0) {
			await call.complain(`error: Nothing to do! (${archive})`);
			return 12;
		}
		const pieces: Uint8Array[] = [];
		const directory: Uint8Array[] = [];
		let offset = 0;
		const append = (member: {
			name: string;
			content: Uint8Array;
			packed: Uint8Array;
			method: number;
			at: Date;
			mode: number;
			kind: number;
		}) => {
			const name = encode(member.name);
			const fields = new DataView(new ArrayBuffer(26));
			const put16 = (at: number, value: number) => fields.setUint16(at, value, true);
			const put32 = (at: number, value: number) => fields.setUint32(at, value, true);
			put16(0, 20);
			put16(2, 0x800);
			put16(4, member.method);
			put16(6, (member.at.getHours() << 11) | (member.at.getMinutes() << 5) | (member.at.getSeconds() >> 1));
			put16(
				8,
				((Math.max(1980, member.at.getFullYear()) - 1980) << 9) |
					((member.at.getMonth() + 1) << 5) |
					member.at.getDate()
			);
			put32(10, crc32(member.content));
			put32(14, member.packed.length);
			put32(18, member.content.length);
			put16(22, name.length);
			const common = new Uint8Array(fields.buffer);
			const local = concat([Uint8Array.of(0x50, 0x4b, 3, 4), common, name, member.packed]);
			const tail = new DataView(new ArrayBuffer(14));
			tail.setUint32(6, ((member.kind | member.mode) << 16) >>> 0, true);
			tail.setUint32(10, offset, true);
			directory.push(concat([Uint8Array.of(0x50, 0x4b, 1, 2, 20, 3), common, new Uint8Array(tail.buffer), name]));
			pieces.push(local);
			offset += local.length;
		};
		const path = shell.path(archive);
		const replaced = new Set(entries.map(({ name }) => name));
		if (sync.statOrNull(path)) {
			for (const member of readZip(sync.readFile(path))) {
				if (replaced.has(member.name)) continue;
				const content = await member.bytes();
				append({
					name: member.name,
					content,
					packed: await compress(content, 'deflate-raw'),
					method: 8,
					at: member.modified,
					mode: member.mode,
					kind: 0o100000
				});
			}
		}
		for (const { name, path: from } of entries) {
			const stat = sync.stat(from);
			const content = stat.kind === 'file' ? sync.readFile(from) : new Uint8Array();
			const deflated = content.length && !options.has('0') ? await compress(content, 'deflate-raw') : content;
			const smaller = deflated.length < content.length;
			append({
				name,
				content,
				packed: smaller ? deflated : content,
				method: smaller ? 8 : 0,
				at: new Date(stat.modifiedMs),
				mode: stat.mode & 0o777,
				kind: stat.kind === 'file' ? 0o100000 : 0o040000
			});
			const saved = content.length
				? Math.round((1 - (smaller ? deflated.length : content.length) / content.length) * 100)
				: 0;
			if (!options.has('q')) await call.out(`  adding: ${name} (${smaller ? 'deflated' : 'stored'} ${saved}%)\n`);
		}
		const central = concat(directory);
		const end = new DataView(new ArrayBuffer(22));
		end.setUint32(0, 0x06054b50, true);
		end.setUint16(8, directory.length, true);
		end.setUint16(10, directory.length, true);
		end.setUint32(12, central.length, true);
		end.setUint32(16, offset, true);
		sync.writeFile(path, concat([...pieces, central, new Uint8Array(end.buffer)]), { mode: 0o666 & ~shell.umask });
		return 0;
	}
);
