import type { WireStat } from '#computer/abi/syscalls.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { encode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { isAnsweredYes } from '../question.ts';
import { unpackAny } from './compressed-formats.ts';
import { ratioOf } from './gzip.ts';
import { frameBytes, packGzip } from './gzip-format.ts';
import { GzipError } from './unpacked-content.ts';
import { FILE_BYTES } from '#computer/abi/limits.ts';

const FAILED = 1;
const BLOCK_BYTES = 1024;

const blocksOf = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES);

/** `znew`: recompresses files of `compress` (`.Z`) in gzip's format. */
export const znew = utility('f t v 9 P K', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError("invalid number of operands; try `znew --help' for help");
	let status = 0;
	for (const name of options.operands) {
		await call.shell.control.yieldIfDue();
		status = Math.max(status, await pack(call, options, name.replace(/\.Z$/, '')));
	}
	return status;
});

async function pack(call: Call, options: Options, name: string): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const say = (text: string): unknown => shell.descriptors.get(2)?.write(encode(`${text}\n`));
	const [from, to] = [`${name}.Z`, `${name}.gz`];
	const stat = sync.statOrNull(shell.path(from));
	if (stat?.kind !== 'file') {
		await call.out(`${from} not found\n`);
		return FAILED;
	}
	const isThere = sync.statOrNull(shell.path(to)) !== null;
	if (isThere && !options.has('f') && !(await mayOverwrite(call, to))) return 0;
	try {
		const { bytes } = unpackAny(sync.readFile(shell.path(from)), FILE_BYTES);
		const packed = await packGzip(bytes, { name: name.replace(/^.*\//, ''), modifiedMs: stat.modifiedMs });
		if (options.has('K') && blocksOf(stat.size) < blocksOf(packed.length)) {
			if (options.has('v')) await say(`${from} is smaller than ${to} -- unchanged`);
			return 0;
		}
		if (options.has('t')) unpackAny(packed, FILE_BYTES);
		replace(call, [from, to], packed, stat);
		const sizes = { packed: packed.length, unpacked: bytes.length, frame: frameBytes(name) };
		if (options.has('v')) await say(`${from}:\t${ratioOf(sizes)} -- replaced with ${to}`);
		return 0;
	} catch (error) {
		if (!(error instanceof GzipError)) {
			await call.complain(`${from}: ${reason(error)}`);
			return FAILED;
		}
		await say(`\ngzip: ${from}: ${error.message}`);
		await call.out(`error while uncompressing ${from}\n`);
		return FAILED;
	}
}

const mayOverwrite = (call: Call, name: string): Promise<boolean> =>
	isAnsweredYes(call, `${name} already exists, do you wish to overwrite (y or n)? `);

function replace({ shell }: Call, [from, to]: readonly [string, string], bytes: Uint8Array, stat: WireStat): void {
	const { sync } = shell.host.context;
	sync.writeFile(shell.path(to), bytes);
	sync.chmod(shell.path(to), stat.mode & 0o777);
	sync.utimes(shell.path(to), stat.accessedMs, stat.modifiedMs);
	sync.unlink(shell.path(from));
}
