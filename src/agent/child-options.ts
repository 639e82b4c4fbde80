import type { SessionOptions } from './api.ts';
import type { SessionParent, SessionParts } from './session-parts.ts';
import type { ChildOptions } from './subagents.ts';

/**
 * Derives the options of a subagent's session from its parent's: fewer features, and references to the parent.
 */
export function childOptions(
	parent: SessionParts,
	child: ChildOptions
): [options: SessionOptions, parent: SessionParent] {
	const { options } = parent;
	const { log: _log, id: _id, checkpoint: _checkpoint, forkStore: _forkStore, ...others } = options;
	// Why the parent was opened is recorded with the parent.
	const { machineChange: _machineChange, forked: _forked, ...inherited } = others;
	return [
		{
			...inherited,
			environment: child.environment,
			profile: child.model ? { ...parent.profile, model: child.model } : parent.profile,
			reasoningEffort: parent.reasoningEffort,
			maxTurns: child.maxTurns,
			maxToolRoundsPerInput: 0
		},
		{
			session: parent,
			agentId: child.agentId,
			depth: (parent.parent?.depth ?? 0) + 1,
			...(child.ownFiles ? { copiedFrom: parent.root.fileFork.environment } : { files: parent.files })
		}
	];
}
