import type { ToolResultPart } from '../types.ts';
import type { Scenario, ScenarioTurn } from './types.ts';

/** A script of the demo model: it recognizes its task, and stops if the project is not as expected. */
export interface DemoScript extends Scenario {
	turns: DemoTurn[];
	/** Checks whether a message asks for this script's task. */
	isTask: (text: string) => boolean;
	/** Response if the first step finds another project. */
	elsewhere: string;
	/** Response if a later step did not have the expected result, e.g. because the files had been changed. */
	surprised: string;
}

export interface DemoTurn extends ScenarioTurn {
	/** Checks that the latest result is the one this turn refers to. Default: any result that is not an error. */
	follows?: (latest: ToolResultPart) => boolean;
	/** True if the previous calls are expected to fail, like tests before a bug is fixed. */
	followsFailure?: boolean;
}

/** Responses common to all scripts. */
export const onlyScript = {
	elsewhere: (project: string): string =>
		`My script is written for ${project}, and this is another one, so I stop here. Watch the demo from the front page to see it, or add an API key and choose a real model to work on this one.`,
	surprised: (project: string): string =>
		`That did not come out as my script expects, probably because the files have changed since ${project} was opened. I am a script and cannot think of another way. Open ${project} again to see the demo, or add an API key and choose a real model.`,
	/** Response to any message that is not a script's task. */
	afterwards: [
		'I am a script, not a model: I know two tasks only, the failing German tests of the sample project and the tip calculator of the template Vanilla TypeScript.',
		'',
		'To work on anything else, add an API key for Anthropic, OpenAI or Gemini, or the address of a compatible server, and choose one of its models.'
	].join('\n')
};
