import { FILE_BYTES } from '#computer/abi/limits.ts';
import { concat, encode } from '#computer/process/text.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { bytesStream, collector } from '#computer/shell/streams/simple-streams.ts';
import { gzip } from './gzip.ts';

/** File names that mark a file as compressed. */
export const COMPRESSED_NAME = /(?:[-.](?:gz|[zZ])|_z|\.t[ag]z)$/;

/** Reads a file as `gzip -cdf` prints it (uncompressed files as they are); null after an error was reported. */
export async function readUnpacked(call: Call, name: string): Promise<Uint8Array | null> {
	const sink = collector(FILE_BYTES);
	const status = await runSubshell(call.shell, async (inner) => {
		inner.descriptors.set(1, new OpenFile(sink.stream));
		return gzip({ ...call, shell: inner, args: ['-cdfq', '--', name] });
	});
	// Bytes after the last member are only a warning.
	return status === 1 ? null : concat(sink.pieces);
}

/** Runs a command of the shell with these bytes as its standard input. */
export const runOn = (call: Call, command: BuiltIn, name: string, args: string[], input: Uint8Array): Promise<number> =>
	runSubshell(call.shell, async (inner) => {
		inner.descriptors.set(0, new OpenFile(bytesStream(input)));
		return command({ ...call, ...namedCall(call, name), shell: inner, args });
	});

/** The call, with the name under which the command reports errors. */
export const namedCall = (call: Call, name: string): Pick<Call, 'name' | 'complain'> => ({
	name,
	complain: async (text) => void (await call.shell.descriptors.get(2)?.write(encode(`${name}: ${text}\n`)))
});
