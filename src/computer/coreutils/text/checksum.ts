import { blake2b } from '@noble/hashes/blake2.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { decode } from '#computer/process/text.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { utility, type Options } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

const PIECE_BYTES = 65_536;
const OPTIONS = 'b|binary t|text c|check tag q|quiet status strict w|warn ignore-missing z|zero';

interface Algorithm {
	/** Name in the format of `--tag`. */
	tag: string;
	create(): { update(bytes: Uint8Array): unknown; digest(): Uint8Array };
	digits: number;
}

/** `md5sum`, `sha1sum` and their kin, piece by piece: a worker of an opaque origin has no `crypto.subtle`. */
export const checksums: Record<string, BuiltIn> = {
	md5sum: checksum({ tag: 'MD5', create: () => md5.create(), digits: 32 }),
	sha1sum: checksum({ tag: 'SHA1', create: () => sha1.create(), digits: 40 }),
	sha224sum: checksum({ tag: 'SHA224', create: () => sha224.create(), digits: 56 }),
	sha256sum: checksum({ tag: 'SHA256', create: () => sha256.create(), digits: 64 }),
	sha384sum: checksum({ tag: 'SHA384', create: () => sha384.create(), digits: 96 }),
	sha512sum: checksum({ tag: 'SHA512', create: () => sha512.create(), digits: 128 }),
	b2sum: checksum({ tag: 'BLAKE2b', create: () => blake2b.create({ dkLen: 64 }), digits: 128 })
};

function checksum(algorithm: Algorithm): BuiltIn {
	return utility(OPTIONS, (call, options) =>
		options.has('c')
			? check(call, options, algorithm)
			: eachInput(call, options.operands, async (file, name) => {
					await call.out(line(algorithm, options, name, await sum(call, file, algorithm)));
				})
	);
}

async function sum(call: Call, file: OpenFile, { create }: Algorithm): Promise<string> {
	const hash = create();
	for (;;) {
		const bytes = await call.shell.control.race(file.read(PIECE_BYTES));
		if (bytes.length === 0) return bytesToHex(hash.digest());
		hash.update(bytes);
	}
}

function line(algorithm: Algorithm, options: Options, name: string, digest: string): string {
	const end = options.has('z') ? '\0' : '\n';
	// A name that would break the line is written with escapes, which the first character says.
	const broken = /[\\\n\r]/.test(name) && !options.has('z');
	const shown = broken ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r') : name;
	const sign = broken ? '\\' : '';
	if (options.has('tag')) return `${sign}${algorithm.tag} (${shown}) = ${digest}${end}`;
	return `${sign}${digest} ${options.last('b', 't') === 'b' ? '*' : ' '}${shown}${end}`;
}

/** Compares the sums listed in files with those of the files they name. */
async function check(call: Call, options: Options, algorithm: Algorithm): Promise<number> {
	let failed = false;
	const status = await eachInput(call, options.operands, async (list, listName) => {
		const counts = { proper: 0, improper: 0, different: 0, unreadable: 0, matched: 0 };
		const text = decode(await call.shell.control.race(list.readAll()));
		for (const [index, row] of text.split('\n').entries()) {
			if (row === '' || row.startsWith('#')) continue;
			const listed = parse(row, algorithm);
			if (!listed) {
				counts.improper++;
				const complaint = `${listName}: ${index + 1}: improperly formatted ${algorithm.tag} checksum line`;
				if (options.has('w')) await call.complain(complaint);
				continue;
			}
			counts.proper++;
			await compare(call, options, algorithm, listed, counts);
		}
		if (counts.proper === 0) {
			failed = true;
			await call.complain(
				`${listName === '-' ? "'standard input'" : listName}: no properly formatted checksum lines found`
			);
			return;
		}
		if (!options.has('status')) await warn(call, counts);
		failed ||= counts.different + counts.unreadable > 0 || (options.has('strict') && counts.improper > 0);
		if (options.has('ignore-missing') && counts.matched === 0) {
			failed = true;
			await call.complain(`${listName}: no file was verified`);
		}
	});
	return failed ? 1 : status;
}

type Counts = Record<'proper' | 'improper' | 'different' | 'unreadable' | 'matched', number>;

async function compare(
	call: Call,
	options: Options,
	algorithm: Algorithm,
	listed: { name: string; digest: string },
	counts: Counts
): Promise<void> {
	const { name, digest } = listed;
	const say = (what: string) => (options.has('status') ? undefined : call.out(`${name}: ${what}\n`));
	const path = call.shell.path(name);
	if (options.has('ignore-missing') && !call.shell.host.context.sync.statOrNull(path)) return;
	let found = '';
	const status = await eachInput(call, [name], async (file) => void (found = await sum(call, file, algorithm)));
	if (status !== 0) {
		counts.unreadable++;
		await say('FAILED open or read');
	} else if (found !== digest) {
		counts.different++;
		await say('FAILED');
	} else {
		counts.matched++;
		if (!options.has('q')) await say('OK');
	}
}

async function warn(call: Call, { improper, unreadable, different }: Counts): Promise<void> {
	const report = (count: number, one: string, many: string) =>
		count > 0 && call.complain(`WARNING: ${count} ${count === 1 ? one : many}`);
	await report(improper, 'line is improperly formatted', 'lines are improperly formatted');
	await report(unreadable, 'listed file could not be read', 'listed files could not be read');
	await report(different, 'computed checksum did NOT match', 'computed checksums did NOT match');
}

function parse(row: string, { tag, digits }: Algorithm): { name: string; digest: string } | null {
	const escaped = row.startsWith('\\');
	const rest = escaped ? row.slice(1) : row;
	const plain = new RegExp(`^\\s*([0-9a-fA-F]{${digits}}) [ *](.+)$`, 's').exec(rest);
	const tagged = new RegExp(`^${tag} \\((.+)\\) = ([0-9a-fA-F]{${digits}})$`, 's').exec(rest);
	const name = plain?.[2] ?? tagged?.[1];
	const digest = (plain?.[1] ?? tagged?.[2])?.toLowerCase();
	if (name === undefined || digest === undefined) return null;
	const escapes: Record<string, string> = { '\\n': '\n', '\\r': '\r', '\\\\': '\\' };
	return { name: escaped ? name.replace(/\\[nr\\]/g, (match) => escapes[match] ?? match) : name, digest };
}
