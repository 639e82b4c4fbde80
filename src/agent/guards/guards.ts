import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { CreateGuards, ProposalInfo } from '../api.ts';
import type { Profile } from '../profile.ts';
import type { ProposedChange, ToolState } from '../tool.ts';
import { decodeText, isBinary } from '../tools/file-kind.ts';
import { displayPath } from '../tools/paths.ts';
import { permitCommand, type CommandGuard } from './command-permission.ts';
import { diffTexts } from './diff.ts';
import { actionOf, judge, shownCommand } from './permission.ts';
import { patternsFor, type PermissionRule } from './permission-rules.ts';
import type { PermissionRequest } from './permission-types.ts';
import { ReadLedger } from './read-ledger.ts';
import { realPath } from './real-path.ts';
import { countMarkers } from './redaction.ts';
import { GuardRefusal, PermissionDenied } from './refusals.ts';

/**
 * Guards of a session's tools: read before write, secrets, permission. They are not part of the environment,
 * which the user accesses too.
 */
export const createGuards: CreateGuards = (options) => {
	const rules: PermissionRule[] = [...options.allowRules];
	/** Asks the user one question at a time. */
	let asking: Promise<unknown> = Promise.resolve();

	/** Asks the user and applies the rules that the answer creates. */
	const ask: CommandGuard['ask'] = async (question, info) => {
		const { callId, agentId, toolName, signal } = info;
		if (!options.ask)
			throw new GuardRefusal(
				'permission',
				`${question.description} needs the user's permission, and there is no user to give it here. Do without it.`
			);
		const request: PermissionRequest = { ...question, requestId: crypto.randomUUID(), callId, agentId, toolName };
		const decision = await options.ask(request, signal);
		switch (decision.kind) {
			case 'allow_once':
				return;
			case 'allow_always':
			case 'allow_session':
				for (const rule of request.rules) {
					rules.push(rule);
					const lasting = decision.kind === 'allow_always' ? 'always' : 'session';
					options.onAllowRule?.(rule, lasting, question.description);
				}
				return;
			case 'deny':
				throw new PermissionDenied(`The user did not allow it: ${question.description}.`, request);
			case 'deny_explain':
				throw new GuardRefusal('permission', `The user did not allow it: ${decision.explanation}`);
		}
	};

	const permit = async (change: ProposedChange, info: ProposalInfo): Promise<void> => {
		const mode = options.mode();
		if (mode === 'full' || mode === 'fork') return;
		const path = await placeOf(options.environment, change);
		const verdict = judge(change, path, mode, patternsFor(rules, change, info.toolName));
		if (verdict.kind === 'allow') return;
		if (verdict.kind === 'refuse') throw new GuardRefusal('mode', verdict.message);
		const question = {
			action: actionOf(change),
			description: change.description,
			reason: verdict.reason,
			rules: verdict.rules,
			...(change.kind === 'write' ? { path, diff: diffOf(path, change.before, change.after) } : {}),
			...(change.kind === 'execute' ? { command: shownCommand(change) } : {})
		};
		await ask(question, info);
	};

	/** Runs `work` when no other question is open, so that the rules from its answer apply to the next question. */
	const inTurn = async <Value>(work: () => Promise<Value>): Promise<Value> => {
		const turn = asking.then(work);
		asking = turn.catch(() => undefined);
		return turn;
	};

	return {
		async propose(change, info) {
			if (change.kind === 'write') {
				await checkRead(change, options.state, options.readBeforeWrite());
				refuseMarkers(change);
			}
			await inTurn(() => permit(change, info));
		},
		permitCommand: (change, exec, info) =>
			permitCommand({ options, rules, ask: (question) => inTurn(() => ask(question, info)) }, change, exec, info)
	};
};

/** Real path affected (symbolic links resolved), relative to the working directory if it is inside it. */
async function placeOf(environment: ExecutionEnvironment, change: ProposedChange): Promise<string> {
	if (change.kind === 'network' || change.kind === 'preview') return '';
	const real = await realPath(environment, change.kind === 'write' ? change.path : change.cwd);
	return real === environment.workingDirectory() ? '' : displayPath(environment, real);
}

type WriteChange = Extract<ProposedChange, { kind: 'write' }>;

/** Under `note` the tool itself notifies the model that the file was stale. */
async function checkRead(change: WriteChange, state: ToolState, policy: Profile['readBeforeWrite']): Promise<void> {
	if (policy !== 'strict' || change.before === null) return;
	const seen = await ReadLedger.of(state).compare(change.path, change.before);
	if (seen === 'current' || change.isMatchedInShell) return;
	const fault = seen === 'unread' ? 'has not been read in this session' : 'has changed since it was last read';
	throw new GuardRefusal('read-before-write', `${change.path} ${fault}. Read it, then make the change again.`);
}

function refuseMarkers({ path, before, after }: WriteChange): void {
	if (!after || isBinary(after)) return;
	const had = before && !isBinary(before) ? countMarkers(decodeText(before)) : 0;
	if (countMarkers(decodeText(after)) > had)
		throw new GuardRefusal(
			'secrets',
			`This would write a marker for a left-out secret into ${path} and destroy the secret. Change other parts of the file, or take the value from a variable.`
		);
}

function diffOf(path: string, before: Uint8Array | null, after: Uint8Array | null): string {
	const text = (bytes: Uint8Array | null): string => (bytes ? decodeText(bytes) : '');
	if ((before && isBinary(before)) || (after && isBinary(after))) return 'Binary files differ.';
	return diffTexts(path, text(before), text(after)).diff;
}
