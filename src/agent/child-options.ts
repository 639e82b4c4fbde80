import type { SessionOptions } from './api.ts';
import type { FileChanges } from './file-changes.ts';
import type { Session } from './session.ts';
import type { ChildOptions } from './subagents.ts';

/** What a subagent's session has from its parent. */
export interface SessionParent {
	agentId: string;
	/** 1 for a subagent, 2 for a subagent's. */
	depth: number;
	/** Absent where the child works on files of its own. */
	files?: FileChanges;
}

/** What a subagent is made with: a session with a leaner configuration, and nothing else is different. */
export function childOptions(parent: Session, child: ChildOptions): [options: SessionOptions, parent: SessionParent] {
	const { options } = parent;
	const { log: _log, id: _id, checkpoint: _checkpoint, forkStore: _forkStore, ...inherited } = options;
	return [
		{
			...inherited,
			environment: child.environment,
			profile: child.model ? { ...parent.profile, model: child.model } : parent.profile,
			mode: parent.effectiveMode,
			reasoningEffort: parent.reasoningEffort,
			maxTurns: child.maxTurns,
			maxToolRoundsPerInput: 0
		},
		{
			agentId: child.agentId,
			depth: (parent.parent?.depth ?? 0) + 1,
			...(child.ownFiles ? {} : { files: parent.files })
		}
	];
}
