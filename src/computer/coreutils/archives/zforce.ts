import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { isGzip } from './compression.ts';
import { COMPRESSED_NAME } from './unpacked-file.ts';

const FAILED = 1;
const MAGIC_BYTES = 2;

/** `zforce`: adds gzip's suffix to the names of files in gzip's format. */
export const zforce = utility('', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError("invalid number of operands; try `zforce --help' for help");
	let status = 0;
	for (const name of options.operands) status = Math.max(status, await addSuffix(call, name));
	return status;
});

async function addSuffix(call: Call, name: string): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	if (sync.statOrNull(shell.path(name))?.kind !== 'file') {
		await call.out(`zforce: ${name} not a file\n`);
		return FAILED;
	}
	if (COMPRESSED_NAME.test(name)) return 0;
	try {
		const file = open(shell, name, '<');
		const start = await file.read(MAGIC_BYTES);
		file.release();
		if (!isGzip(start)) return 0;
		sync.rename(shell.path(name), shell.path(`${name}.gz`));
		await call.out(`${name} -- replaced with ${name}.gz\n`);
		return 0;
	} catch (error) {
		await call.complain(`${name}: ${reason(error)}`);
		return FAILED;
	}
}
