import { expect, it } from 'vitest';
import { commandOf } from '#session/share/shown-command.ts';

it.each<[Record<string, unknown>, string]>([
	[{ command: 'ls -l' }, 'ls -l'],
	[{ command: ['bash', '-lc', 'ls -l'] }, 'bash -lc ls -l'],
	[{ command: ['ls', 1, null, '-l'] }, 'ls -l'],
	[{ command: [] }, ''],
	[{ cmd: 'pwd' }, 'pwd'],
	[{ chars: 'yes\n' }, 'yes\n'],
	[{ command: 1, cmd: 'pwd', chars: 'no' }, 'pwd'],
	[{ command: 'ls', cmd: 'pwd' }, 'ls'],
	[{ path: 'a' }, ''],
	[{ command: { cmd: 'ls' } }, '']
])('of the arguments %j the card shows the command %j', (args, command) => {
	expect(commandOf(args)).toBe(command);
});
