import { PublishError } from '#workspace/publish/errors.ts';
import { authorizationFor, openPullRequest } from '#workspace/publish/pull-request.ts';
import { pushBranch, type PushStep } from '#workspace/publish/push-branch.ts';
import type { HostedRepository, HostKind } from '#workspace/publish/repository-host.ts';
import type { Parts } from '../parts.ts';
import { repositoryAt } from '../egress/git-call.ts';
import type { Project } from '../project/project.svelte.ts';
import { t } from '../strings/index.ts';
import { withExpectedPush } from './expect-push.ts';
import { keepPublished, type Published } from './published.ts';

/** The user's input. */
export interface PublishOrder {
	/** Address as used by git. */
	url: string;
	repository: HostedRepository;
	kind: HostKind;
	branch: string;
	/** Empty: the repository's default branch. */
	target: string;
	title: string;
	description: string;
	/** Empty name: as configured in the project's git. */
	author: { name: string; email: string };
}

export interface Publication {
	branch: string;
	/** `null` if only the branch was pushed. */
	link: string | null;
	/** True if the pull request was already open and now has the new commit. */
	existed: boolean;
}

/**
 * Pushes the changes since the import as a branch and opens a pull request for it. If the branch was pushed before, it
 * gets one more commit.
 *
 * @throws PublishError, or the ledger's error
 */
export async function publish(
	parts: Pick<Parts, 'askHost' | 'egress'>,
	project: Project,
	order: PublishOrder,
	before: Published | null,
	options: { onStep: (step: PushStep | 'opening') => void; signal: AbortSignal }
): Promise<Publication> {
	const { workspace, stored, environment } = project;
	const { repository, kind, branch, title, description, author } = order;
	const again = before?.url === order.url && before.branch === branch ? before : null;
	// Publishing to a host implies permission for it.
	parts.egress?.allow(repository.host);
	const differences = await workspace.differencesFrom(again?.tree ?? null);
	let published = again;
	// A pull request may still be wanted although nothing is new since the last push.
	if (!again || differences.length > 0) {
		const message = description.trim() === '' ? title : `${title}\n\n${description.trim()}`;
		const pushed = await withExpectedPush(parts, order, (onPush) =>
			pushBranch(
				environment,
				{
					url: order.url,
					branch,
					message,
					...(author.name === '' ? {} : { author }),
					differences,
					readBlob: (id) => workspace.readBlob(id),
					...(again ? { again: true, target: again.target } : baseOf(order))
				},
				{ ...options, onPush }
			)
		);
		const { tree } = await workspace.takeCheckpoint(t.publish.checkpoint(branch), stored.log.leafId());
		published = { url: order.url, branch, target: pushed.target, tree, link: again?.link ?? null };
		await keepPublished(stored, published);
	}
	if (kind === 'none' || !published) return { branch, link: null, existed: false };
	if (!parts.askHost) throw new PublishError('publish_unreachable');
	options.onStep('opening');
	const { askHost } = parts;
	const { target } = published;
	const opened = await openPullRequest(kind, { repository, branch, target, title, description }, (request) =>
		askHost(repositoryAt(order.url), request, (token) => authorizationFor(kind, token))
	);
	await keepPublished(stored, { ...published, link: opened.url });
	return { branch, link: opened.url, existed: opened.existed };
}

function baseOf({ target }: PublishOrder): { again: false; target?: string } {
	return target === '' ? { again: false } : { again: false, target };
}
