import { redactSecrets } from '../guards/redaction.ts';
import type { CollectPromptParts } from '../profile.ts';
import { environmentBlock } from './environment-block.ts';
import { gitSnapshot } from './git-snapshot.ts';
import { projectInstructions } from './project-instructions.ts';

/** Inspects the environment once, at the start of a session. Missing parts are no error. */
export const collectPromptParts: CollectPromptParts = async (environment, profile, userInstructions = '') => {
	const git = await gitSnapshot(environment);
	const instructions = await projectInstructions(environment, git.root, profile.instructionFiles);
	return {
		environmentBlock: environmentBlock(environment, {
			isGitRepository: git.root !== null,
			branch: git.branch,
			model: profile.model,
			today: new Date()
		}),
		// The repository's own text may contain a key, like any of its files.
		gitSnapshot: redactSecrets(git.text),
		projectInstructions: redactSecrets(instructions.text),
		instructionPaths: instructions.paths,
		userInstructions,
		toolNames: profile.tools.map(({ definition }) => definition.name)
	};
};
