import { createGuards } from './guards/guards.ts';
import type { GuardOptions } from './api.ts';
import { FamilyGuards } from './family-guards.ts';
import { NOT_ANSWERED, type AskPermission } from './guards/permission-types.ts';
import type { PermissionRule } from './guards/permission-rules.ts';
import { QuestionWithdrawn } from './question-withdrawn.ts';
import type { SessionEmitter } from './session-emitter.ts';
import type { SessionParts } from './session-parts.ts';
import type { ToolState } from './tool.ts';

type Guarded = Pick<SessionParts, 'options' | 'emitter' | 'family' | 'profile' | 'effectiveMode'>;

/**
 * Creates the guards of a session's tools, using the mode and rules of its family.
 *
 * @param state shared with the tools, which record in it what the model has read
 */
export function createSessionGuards(session: Guarded, state: ToolState): FamilyGuards {
	const { options, emitter, family } = session;
	const { askPermission, createGuards: create = createGuards } = options;
	return new FamilyGuards(
		family,
		(rules, ask) => create(guardOptions(session, state, rules, ask)),
		askPermission && asking(askPermission, emitter)
	);
}

function guardOptions(
	session: Guarded,
	state: ToolState,
	rules: readonly PermissionRule[],
	ask: AskPermission | undefined
): GuardOptions {
	const { options } = session;
	return {
		mode: () => session.effectiveMode,
		allowRules: rules,
		environment: options.environment,
		readBeforeWrite: () => session.profile.readBeforeWrite,
		state,
		...(options.network ? { network: options.network } : {}),
		...(options.onAllowRule ? { onAllowRule: options.onAllowRule } : {}),
		...(ask ? { ask } : {})
	};
}

/** Emits an event for each question and each answer; a question without an answer counts as denied. */
function asking(ask: AskPermission, emitter: SessionEmitter): AskPermission {
	return async (request, signal) => {
		emitter.emit({ type: 'permission_request', ...request });
		try {
			const decision = await ask(request, signal);
			emitter.emit({ type: 'permission_resolved', requestId: request.requestId, decision });
			return decision;
		} catch (error) {
			const explanation = error instanceof QuestionWithdrawn ? error.message : NOT_ANSWERED;
			const decision = { kind: 'deny_explain' as const, explanation };
			emitter.emit({ type: 'permission_resolved', requestId: request.requestId, decision });
			throw error;
		}
	};
}
