/** Command line that a call's card shows, for any profile's parameter name; a list is joined by spaces. */
export function commandOf(args: Record<string, unknown>): string {
	const { command } = args;
	if (Array.isArray(command)) return command.filter((part) => typeof part === 'string').join(' ');
	const given = [command, args['cmd'], args['chars']].find((value) => typeof value === 'string');
	return typeof given === 'string' ? given : '';
}
