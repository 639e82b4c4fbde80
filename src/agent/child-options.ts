import type { OverlayEnvironment } from '#environment/contract.ts';
import type { SessionOptions } from './api.ts';
import type { FileChanges } from './file-changes.ts';
import type { Session } from './session.ts';
import type { ChildOptions } from './subagents.ts';

/** Ties of a subagent's session to its parent's. */
export interface SessionParent {
	session: Session;
	agentId: string;
	/** 1 for a subagent, 2 for a subagent's. */
	depth: number;
	/** Absent where the child works on files of its own. */
	files?: FileChanges;
	/** With files of its own: the fork they were copied from, `null` for the project. */
	copiedFrom?: OverlayEnvironment | null;
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
