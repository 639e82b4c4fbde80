const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** A command's output as plain text: colours taken out, overwritten lines as they ended. */
export function plainOutput(output: string): string {
	return output
		.replace(ESCAPES, '')
		.replace(/\r\n/g, '\n')
		.replace(/^.*\r(?!$)/gm, '');
}
