import { encode } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { type Options, parseOptions, UsageError } from '../options.ts';
import { append, concatenate, create, deleteMembers } from './tar/create.ts';
import { readThrough, testLabel } from './tar/members.ts';
import { Run, TarFailure } from './tar/run.ts';
import { newStyle, SPECIFICATION } from './tar/settings.ts';

const USAGE_STATUS = 2;
const HINT = "Try 'tar --help' or 'tar --usage' for more information.\n";

/** `tar`: creates, lists, compares and extracts archives, in the formats that GNU tar writes and reads. */
export const tar: BuiltIn = async (call) => {
	try {
		const options = readOptions(call);
		if (options.has('version')) {
			await call.out('tar (GNU tar) 1.34\n');
			return 0;
		}
		return await finish(new Run(call, options));
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		if (error.showsHint) await call.shell.descriptors.get(2)?.write(encode(HINT));
		return USAGE_STATUS;
	}
};

/** Options of `TAR_OPTIONS` come first. */
function readOptions({ shell, args }: Call): Options {
	const given = (shell.variables.exported('TAR_OPTIONS') ?? '').split(/\s+/).filter(Boolean);
	return parseOptions([...given, ...newStyle(args)], SPECIFICATION);
}

async function finish(run: Run): Promise<number> {
	try {
		await runMode(run);
	} catch (error) {
		if (!(error instanceof TarFailure)) throw error;
		await run.call.complain(error.message);
		await run.call.complain('Error is not recoverable: exiting now');
		return 2;
	}
	if (run.status === 2) await run.call.complain('Exiting with failure status due to previous errors');
	return run.status;
}

async function runMode(run: Run): Promise<void> {
	switch (run.mode) {
		case 'c':
			return create(run);
		case 'r':
		case 'u':
			return append(run);
		case 'A':
			return concatenate(run);
		case 'delete':
			return deleteMembers(run);
		case 'test-label':
			return testLabel(run);
		default:
			return readThrough(run);
	}
}
