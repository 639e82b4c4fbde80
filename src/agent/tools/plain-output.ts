const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Converts a command's output to plain text: without colors, and with the final state of overwritten lines. */
export function plainOutput(output: string): string {
	return output
		.replace(ESCAPES, '')
		.replace(/\r\n/g, '\n')
		.replace(/^.*\r(?!$)/gm, '');
}
