import type { ExecutionEnvironment } from '#environment/contract.ts';
import { ImportError } from './errors.ts';
import type { GitAddress } from './git-url.ts';
import type { ImportTracker } from './progress.ts';

/**
 * Runs `git clone` of the sandbox's own git, whose requests go through the page. The working directory must be
 * empty.
 */
export async function clone(
	address: GitAddress,
	environment: ExecutionEnvironment,
	options: { ref: string | undefined; tracker: ImportTracker }
): Promise<void> {
	const { tracker } = options;
	tracker.phase('downloading');
	const branch = options.ref === undefined ? '' : '--branch "$SANDGLASS_REF" ';
	const result = await environment.exec(`git clone --quiet --depth 1 ${branch}"$SANDGLASS_URL" .`, {
		env: { SANDGLASS_URL: address.url, SANDGLASS_REF: options.ref ?? '' },
		signal: tracker.signal
	});
	tracker.check();
	if (result.exitCode !== 0) throw reason(result.stderr || result.stdout);
	const files = await environment.listDirectory('.', Number.MAX_SAFE_INTEGER);
	for (const file of files) {
		if (file.kind === 'directory' || file.path.startsWith('.git/')) continue;
		tracker.files++;
		tracker.bytes += file.size;
	}
}

/** Maps git's error messages to import errors. */
function reason(output: string): ImportError {
	const detail = output.trim().split('\n').slice(-3).join('\n');
	if (/^error: invalid path /m.test(output)) return new ImportError('damaged', detail);
	if (/\b(401|403)\b|authentication|denied/i.test(output)) return new ImportError('private', detail);
	if (/\b404\b|not found|does not exist|could not find remote/i.test(output))
		return new ImportError('not_found', detail);
	if (/\b413\b|too large|ENOSPC|no space/i.test(output)) return new ImportError('too_large', detail);
	if (/ECONNREFUSED|could not resolve|unable to access|network|\b50[24]\b/i.test(output))
		return new ImportError('no_network', detail);
	return new ImportError('server_error', detail);
}
