import { commandOf } from '#session/share/shown-command.ts';
import { t } from '../strings/index.ts';
import type { ItemOf } from './items.ts';
import { pathOf, textOf } from './tool-arguments.ts';
import { patchPath } from './tool-diff.ts';

/** A step in plain words: what the agent does, and its object. */
export interface StepWords {
	/** Past tense for a finished step. */
	verb: string;
	/** A command, a path or a pattern; empty if the verb is sufficient. */
	subject: string;
}

/** Describes a step in one line, for any profile's name of the tool. */
export function stepWords(item: ItemOf<'tool'>): StepWords {
	const isOver = item.status === 'done' || item.status === 'failed';
	const isNew = item.tool === 'write' && item.status === 'done';
	const [now, past] = t.step[isNew ? 'written' : item.tool];
	return { verb: isOver ? past : now, subject: subjectOf(item) };
}

function subjectOf(item: ItemOf<'tool'>): string {
	const args = item.arguments;
	switch (item.tool) {
		case 'shell':
			return commandOf(args);
		case 'read':
		case 'edit':
		case 'write':
		case 'list':
			return pathOf(args);
		case 'patch':
			return patchPath(textOf(args, 'patch', 'input') ?? '');
		case 'search':
			return textOf(args, 'pattern', 'query') ?? '';
		case 'web':
			return textOf(args, 'url', 'query') ?? '';
		case 'agent':
			return [textOf(args, 'agent_name'), textOf(args, 'description', 'task', 'message', 'prompt')?.split('\n', 1)[0]]
				.filter(Boolean)
				.join(': ');
		case 'ask':
			return textOf(args, 'question') ?? '';
		case 'preview':
			return [textOf(args, 'action'), textOf(args, 'path', 'url', 'selector')].filter(Boolean).join(' ');
		case 'other':
			return item.toolName;
		case 'input':
		case 'todo':
			return '';
	}
}
