import type { SessionEntry } from '#agent/session-log.ts';
import type { ContentPart } from '#llm/types.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import type { AppState } from '../app-state.svelte.ts';
import { carryAttachments, readAttachments } from '../attachments/store-attachment.ts';
import type { Project } from './project.svelte.ts';

/**
 * Finds the moment when a message was sent: the conversation before it, and the files that its first step found.
 *
 * @param branch entries of the conversation, in order
 * @param seq number of the message's event
 * @returns `null` if the branch has no such message, or no earlier state
 */
export function momentOfMessage(
	branch: readonly SessionEntry[],
	checkpoints: readonly Checkpoint[],
	seq: number
): Checkpoint | null {
	const at = branch.findIndex(
		(entry) => entry.type === 'event' && entry.event.type === 'user_input' && entry.event.seq === seq
	);
	if (at < 0) return null;
	const marks = branch.slice(at).concat(branch.slice(0, at).reverse());
	const mark = marks.find((entry) => entry.type === 'checkpoint');
	const files = checkpoints.find(({ id }) => mark?.type === 'checkpoint' && id === mark.checkpointId) ?? checkpoints[0];
	// The state change when the agent started to work belongs to the task, not to what preceded it.
	const before = branch
		.slice(0, at)
		.findLast((entry) => !(entry.type === 'event' && entry.event.type === 'state_change'));
	return files ? { ...files, entryId: before?.id ?? null } : null;
}

/**
 * Forks the session before a message and sends this text in its place, with the message's images and attached files.
 */
export async function resend(
	app: AppState,
	project: Project,
	message: { seq: number; content: readonly ContentPart[] },
	text: string
): Promise<void> {
	const moment = momentOfMessage(project.stored.log.branch(), project.workspace.checkpoints, message.seq);
	if (!moment) throw new RangeError('This message is not part of the conversation any more.');
	const files = await readAttachments(project.environment, text);
	await app.fork(project, moment);
	// If the user left meanwhile, there is no fork to send to.
	const fork = app.project;
	if (!fork || fork === project) return;
	await carryAttachments(fork.environment, files);
	const words: ContentPart[] = text === '' ? [] : [{ type: 'text', text }];
	fork.send([...words, ...message.content.filter(({ type }) => type !== 'text')]);
}
