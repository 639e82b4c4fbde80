import type { ExecutionEnvironment } from '../../environment/contract.ts';
import type { ProposedChange, ToolResult, ToolState } from '../tool.ts';
import { decodeText, isBinary } from '../tools/file-kind.ts';
import { displayPath } from '../tools/paths.ts';
import { diffTexts } from './diff.ts';
import { actionOf, judge } from './permission.ts';
import type { AskPermission, PermissionDecision, PermissionMode, PermissionRequest } from './permission-types.ts';
import { ReadLedger } from './read-ledger.ts';
import { countMarkers, redactSecrets } from './redaction.ts';
import { GuardRefusal, PermissionDenied } from './refusals.ts';

export interface GuardOptions {
	environment: ExecutionEnvironment;
	/** Asked for each change, so that it may be switched in mid-run. */
	mode(): PermissionMode;
	readBeforeWrite: 'strict' | 'note' | 'off';
	/** Absent: what would ask is refused with an explanation. */
	ask?: AskPermission;
	/** What *Always allow* remembered. */
	allowRules?: Iterable<string>;
	onAllowRule?(pattern: string): void;
	onRequest?(request: PermissionRequest): void;
	onResolved?(requestId: string, decision: PermissionDecision): void;
	/** Default true. */
	redactSecrets?: boolean;
}

/** Which call proposes a change. */
export interface ProposalInfo {
	callId: string;
	agentId: string;
	toolName: string;
	state: ToolState;
	signal: AbortSignal;
}

export interface Guards {
	/**
	 * Resolves when the change may be made.
	 *
	 * @throws PermissionDenied when the person said no, GuardRefusal when a guard or an explanation did
	 */
	propose(change: ProposedChange, info: ProposalInfo): Promise<void>;
	/** What the model is to see of a result: secrets left out, notes added. */
	afterTool(callId: string, result: ToolResult): ToolResult;
	/** Patterns allowed now, remembered and this session's. */
	readonly rules: ReadonlySet<string>;
}

/** The guards around a session's tools: read before write, secrets, permission. They are no part of the environment, which the person uses too. */
export function createGuards(options: GuardOptions): Guards {
	const rules = new Set(options.allowRules ?? []);
	const notes = new Map<string, string[]>();
	/** Requests are put to the person one after another; a rule made by one answer counts for the next. */
	let asking: Promise<unknown> = Promise.resolve();

	const permit = async (change: ProposedChange, info: ProposalInfo): Promise<void> => {
		const path = change.kind === 'write' ? displayPath(options.environment, change.path) : '';
		const verdict = judge(change, path, options.mode(), rules);
		if (verdict.kind === 'allow') return;
		if (verdict.kind === 'refuse') throw new GuardRefusal('mode', verdict.message);
		if (!options.ask)
			throw new GuardRefusal(
				'permission',
				`${change.description} needs a person's permission, and nobody can give it here. Do without it.`
			);
		const request: PermissionRequest = {
			requestId: crypto.randomUUID(),
			callId: info.callId,
			agentId: info.agentId,
			toolName: info.toolName,
			action: actionOf(change),
			description: change.description,
			reason: verdict.reason,
			pattern: verdict.pattern,
			...(change.kind === 'write' ? { path, diff: diffOf(path, change.before, change.after) } : {}),
			...(change.kind === 'execute' ? { command: change.command } : {})
		};
		options.onRequest?.(request);
		const decision = await options.ask(request, info.signal);
		options.onResolved?.(request.requestId, decision);
		switch (decision.kind) {
			case 'allow_once':
				return;
			case 'allow_always':
				options.onAllowRule?.(verdict.pattern);
				rules.add(verdict.pattern);
				return;
			case 'allow_session':
				rules.add(verdict.pattern);
				return;
			case 'deny':
				throw new PermissionDenied(`The person did not allow it: ${change.description}.`, request);
			case 'deny_explain':
				throw new GuardRefusal('permission', `The person did not allow it: ${decision.explanation}`);
		}
	};

	return {
		rules,
		async propose(change, info) {
			if (change.kind === 'write') {
				const note = await checkRead(change, info.state, options.readBeforeWrite);
				if (note) notes.set(info.callId, [...(notes.get(info.callId) ?? []), note]);
				refuseMarkers(change);
			}
			const turn = asking.then(() => permit(change, info));
			asking = turn.catch(() => undefined);
			await turn;
		},
		afterTool(callId, result) {
			const added = notes.get(callId) ?? [];
			notes.delete(callId);
			const clean = options.redactSecrets === false ? (text: string): string => text : redactSecrets;
			const content = [clean(result.content), ...added].join('\n');
			return {
				...result,
				content,
				...(result.fullOutput === undefined ? {} : { fullOutput: clean(result.fullOutput) })
			};
		}
	};
}

type WriteChange = Extract<ProposedChange, { kind: 'write' }>;

/** Returns a note for the model under the policy `note`. */
async function checkRead(
	change: WriteChange,
	state: ToolState,
	policy: GuardOptions['readBeforeWrite']
): Promise<string | undefined> {
	if (policy === 'off' || change.before === null) return undefined;
	const seen = await ReadLedger.of(state).compare(change.path, change.before);
	if (seen === 'current') return undefined;
	const fault =
		seen === 'unread'
			? `${change.path} has not been read in this session.`
			: `${change.path} has changed since it was last read.`;
	if (policy === 'strict') throw new GuardRefusal('read-before-write', `${fault} Read it, then make the change again.`);
	return seen === 'stale' ? `Note: ${fault} Read it again before relying on the rest of it.` : undefined;
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
