import type { CreateGuards, GuardOptions, Guards, ProposalInfo } from './api.ts';
import { GuardRefusal, PermissionDenied } from './guards/refusals.ts';
import type { PermissionDecision, PermissionRequest } from './guards/permission-types.ts';
import type { ProposedChange } from './tool.ts';

/** The least a session does: asks where its mode says so. A host's own guards take its place. */
export const createModeGuards: CreateGuards = (options) => new ModeGuards(options);

class ModeGuards implements Guards {
	readonly #allowed: Set<string>;

	constructor(private readonly options: GuardOptions) {
		this.#allowed = new Set(options.allowRules);
	}

	async propose(change: ProposedChange, info: ProposalInfo): Promise<void> {
		const mode = this.options.mode();
		if (mode === 'full' || mode === 'fork') return;
		if (mode === 'plan')
			throw new GuardRefusal('plan', 'The session is in plan mode: read and search, and describe the change instead.');
		if (mode === 'auto-edit' && change.kind === 'write') return;
		const request = requestOf(change, info, mode);
		if (this.#allowed.has(request.pattern)) return;
		if (!this.options.ask)
			throw new GuardRefusal('permission', 'Nobody is here to allow this. Do without it, or say what you would do.');
		this.#obey(await this.options.ask(request, info.signal), request);
	}

	#obey(decision: PermissionDecision, request: PermissionRequest): void {
		switch (decision.kind) {
			case 'allow_once':
				return;
			case 'allow_always':
				this.options.onAllowRule?.(request.pattern);
				this.#allowed.add(request.pattern);
				return;
			case 'allow_session':
				this.#allowed.add(request.pattern);
				return;
			case 'deny':
				throw new PermissionDenied(`The person denied permission: ${request.description}`, request);
			case 'deny_explain':
				throw new GuardRefusal('permission', decision.explanation);
		}
	}
}

function requestOf(change: ProposedChange, info: ProposalInfo, mode: string): PermissionRequest {
	const { callId, agentId, toolName } = info;
	const { description } = change;
	const base = {
		requestId: crypto.randomUUID(),
		callId,
		agentId,
		toolName,
		description,
		reason: `The mode is “${mode}”.`
	};
	switch (change.kind) {
		case 'write':
			return { ...base, action: 'write', path: change.path, pattern: change.path };
		case 'execute':
			return { ...base, action: 'execute', command: change.command, pattern: change.command };
		case 'network':
			return { ...base, action: 'network', pattern: change.url };
	}
}
