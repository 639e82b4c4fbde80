import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { isEnvironmentError } from '#environment/errors.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import type { ShareBundle } from '#session/contract.ts';
import { inspectReceipt } from '#session/share/inspect-receipt.ts';
import { verdictOf, type Gap, type Problem, type Verdict, type Verified } from '#session/share/match.ts';
import { verifyReceipt } from '#session/share/verify.ts';
import { importRepository } from '#workspace/import/import.ts';
import { ExitCode } from '../exit-codes.ts';
import { firstLine, printable } from '../printable.ts';
import { UsageError } from '../usage.ts';
import { ConfinedEnvironment } from './confined.ts';
import { openShare } from './open-share.ts';

const SENTENCES: Readonly<Record<Problem | Gap, string>> = {
	altered_command: 'the conversation shows another command than the receipt',
	altered_output: 'the conversation shows another output than the receipt',
	altered_exit_code: 'the conversation shows another exit code than the receipt',
	not_shown: 'the receipt has a command that the conversation does not show',
	ambiguous: 'its id is used more than once',
	out_of_order: 'the receipt has it at another position',
	other_chain: 'its receipt belongs to another session or chain of steps',
	no_files: 'the files it ran on are not in the share',
	files_before: 'the files before it differ from the receipt',
	files_after: 'the files after it differ from the receipt',
	output: 'it prints something else here',
	exit_code: 'it ends with another exit code here',
	no_receipt: 'there is no receipt for it',
	older_kind: 'its receipt is of an older kind that does not include the displayed output',
	no_files_after: 'its receipt does not include the files after it',
	other_machine: 'it ran on a machine, and has another result here'
};

const VERDICTS: Readonly<Record<Verdict, string>> = {
	match: 'same     ',
	partial: 'partial  ',
	differs: 'DIFFERS  ',
	none: 'unknown  ',
	elsewhere: 'machine  '
};

/** Verifies the receipts of a share; see `HELP.verify`. */
export async function verify(args: string[]): Promise<number> {
	const { values, positionals } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			inspect: { type: 'boolean', default: false },
			json: { type: 'boolean', default: false },
			site: { type: 'string' }
		}
	});
	const [source, ...more] = positionals;
	if (source === undefined || more.length > 0)
		throw new UsageError('Give one link or file: sandglass verify "https://…/#s=…". Quote it, since it contains #.');
	const { bundle, site } = await openShare(source);
	const results = values.inspect ? inspect(bundle) : replay(bundle, values.site ?? site);
	const counts: Record<Verdict, number> = { match: 0, partial: 0, differs: 0, none: 0, elsewhere: 0 };
	for await (const result of results) {
		counts[verdictOf(result)] += 1;
		process.stdout.write(values.json ? `${JSON.stringify({ verdict: verdictOf(result), ...result })}\n` : text(result));
	}
	if (!values.json) process.stdout.write(summary(counts, values.inspect));
	return counts.differs > 0 ? ExitCode.failed : ExitCode.ok;
}

/** Compares receipts and conversation without running anything. */
async function* inspect(bundle: ShareBundle): AsyncGenerator<Verified> {
	for (const { run: _run, ...result } of await inspectReceipt(bundle)) yield result;
}

/**
 * Runs the commands of a share in a temporary folder, confined by the operating system.
 *
 * @param site serves the archive of the project's base, if the share has one
 */
async function* replay(bundle: ShareBundle, site: string | null): AsyncGenerator<Verified> {
	if (bundle.base && site === null)
		throw new UsageError(
			'The project of this share is on a git host. Name a Sandglass that fetches it: --site <address>.'
		);
	const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'sandglass-verify-')));
	const temporaryDirectory = path.join(folder, 'tmp');
	await mkdir(temporaryDirectory);
	const workingDirectory = path.join(folder, 'project');
	const local = new LocalExecutionEnvironment({
		workingDirectory,
		home: path.join(folder, 'home'),
		roots: [folder],
		diagnosticsScript: null
	});
	const environment = new ConfinedEnvironment(local, folder, temporaryDirectory);
	try {
		await environment.initialize();
		await requireConfinement(environment);
		yield* verifyReceipt(bundle, environment, importRepository, site === null ? {} : { serverUrl: site });
	} finally {
		await environment.cleanup();
		await rm(folder, { recursive: true, force: true });
	}
}

/** @throws Error with the alternatives if commands cannot be confined here */
async function requireConfinement(environment: ConfinedEnvironment): Promise<void> {
	try {
		await environment.exec('true');
	} catch (error) {
		if (!isEnvironmentError(error) || error.code !== 'EUNAVAILABLE') throw error;
		throw new Error(
			'The commands of a share come from a stranger, and nothing here can confine them. Install bubblewrap ' +
				'(on Debian and Ubuntu: apt install bubblewrap), or use --inspect, which runs nothing.',
			{ cause: error }
		);
	}
}

function text(result: Verified): string {
	const { problems, gaps, command, exitCode, printed } = result;
	const lines = [
		`${VERDICTS[verdictOf(result)]}${command === '' ? '(a command that is not shown)' : firstLine(command)}`
	];
	for (const each of [...problems, ...gaps]) lines.push(`           ${SENTENCES[each]}`);
	if (exitCode && exitCode.recorded !== exitCode.here)
		lines.push(`           exit code ${exitCode.recorded} in the receipt, ${exitCode.here} here`);
	if (printed !== undefined)
		for (const line of printable(printed).trimEnd().split('\n').slice(0, MAX_PRINTED_LINES))
			lines.push(`           | ${line}`);
	return `${lines.join('\n')}\n`;
}

/** Maximum number of lines printed of a differing output. */
const MAX_PRINTED_LINES = 20;

function summary(counts: Record<Verdict, number>, isInspection: boolean): string {
	const { match, partial, differs, none, elsewhere } = counts;
	if (Object.values(counts).every((count) => count === 0)) return 'This share has no commands.\n';
	const how = isInspection ? 'compared, not run' : 'run again';
	const moved = elsewhere > 0 ? ` ${elsewhere} with another result than on their machine,` : '';
	return `${match} the same, ${partial} with an incomplete receipt, ${differs} different,${moved} ${none} without a receipt (${how}).\n`;
}
