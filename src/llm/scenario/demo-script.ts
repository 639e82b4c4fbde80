import type { ToolResultPart } from '../types.ts';
import type { Scenario, ScenarioTurn } from './types.ts';

/** A script of the demo model: it knows its task, and stops where the project is not as it expects. */
export interface DemoScript extends Scenario {
	turns: DemoTurn[];
	/** Checks whether a message asks for this script's task. */
	isTask: (text: string) => boolean;
	/** Response when the first look shows another project. */
	elsewhere: string;
	/** Response when a later step did not turn out as written, e.g. because the files were changed before. */
	surprised: string;
}

export interface DemoTurn extends ScenarioTurn {
	/** Checks that the latest result is what this turn talks about; any result that is no error by default. */
	follows?: (latest: ToolResultPart) => boolean;
	/** The calls before are supposed to fail, as tests do before a fault is mended. */
	followsFailure?: boolean;
}

/** Responses that are the same for every script. */
export const onlyScript = {
	elsewhere: (project: string): string =>
		`My script is written for ${project}, and this is another one, so I stop here. Watch the demo from the front page to see it, or add an API key and choose a real model to work on this one.`,
	surprised: (project: string): string =>
		`That did not come out as my script expects, probably because the files have changed since ${project} was opened. I am a script and cannot think of another way. Open ${project} again to see the demo, or add an API key and choose a real model.`,
	/** Response to everything that is no script's task. */
	afterwards: [
		'I am a script, not a model: I know two tasks only, the failing German tests of the sample project and the tip calculator of the template Vanilla TypeScript.',
		'',
		'To work on anything else, add an API key for Anthropic, OpenAI or Gemini, or the address of a compatible server, and choose one of its models.'
	].join('\n')
};
