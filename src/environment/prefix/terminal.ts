import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { TerminalSize } from '../contract.ts';
import { DEVICE_VARIABLES, type TerminalDevice } from '../local/device-terminal.ts';
import { INTERACTIVE } from '../local/terminal.ts';
import { variableLines, withoutVariables, type CommandPlace } from './command.ts';
import type { ExecTerminal } from './exec-channel.ts';
import { collected } from './collected.ts';
import type { Prefix } from './prefix.ts';

/** Limit for output before the mark, in characters. */
const MAX_HEAD = 64 * 1024;

/** Prints the id of the terminal's session leader after the mark, then becomes the shell. */
const TERMINAL = `
printf '%s %s\\n' "$1" "$$"
cd -- "$2" || exit 98
shift 2
exec "$@"
`;

/**
 * Ends the session whose leader is `$1`, including jobs with their own process groups: sends a signal, waits 2 s, then
 * kills.
 */
const SESSION_KILLER = `
tries=0
while :; do
	left=
	signal=HUP
	[ "$tries" -lt 40 ] || signal=KILL
	for process in /proc/[0-9]*; do
		read -r state <"$process/stat" 2>/dev/null || continue
		set -- "$1" \${state##*) }
		[ "$5" = "$1" ] && [ "$2" != Z ] || continue
		kill -s "$signal" -- "\${process#/proc/}" 2>/dev/null && left=1
	done
	[ -n "$left" ] && [ "$tries" -lt 60 ] || exit 0
	tries=$((tries + 1))
	sleep 0.05 2>/dev/null || sleep 1
done
`;

/** Opens a shell on a terminal device behind a prefix; `undefined` if there is none. */
export function openDevice(prefix: Prefix, place: CommandPlace, size: TerminalSize): TerminalDevice | undefined {
	const { shell, cwd, set, unset } = place;
	const mark = `sandglass-${randomUUID()}`;
	const words = /(^|\/)bash$/.test(shell) ? [shell, ...INTERACTIVE] : [shell, '-i'];
	const script = `${variableLines([...unset, 'ENV'], { ...set, ...DEVICE_VARIABLES })}\n${TERMINAL}`;
	const terminal = prefix.openTerminal(script, [mark, cwd, ...withoutVariables(unset), ...words], size);
	return terminal && deviceOf(terminal, prefix, mark);
}

function deviceOf(terminal: ExecTerminal, prefix: Prefix, mark: string): TerminalDevice {
	const { input, output, exited } = terminal;
	let leader: string | undefined;
	return {
		onData: (take) => {
			const decoder = new StringDecoder();
			let head: string | undefined = '';
			output.on('data', (bytes: Buffer) => {
				const text = decoder.write(bytes);
				if (head === undefined) return take(text);
				head += text;
				const [line, pid, rest = ''] = new RegExp(`^[^]*?${mark} (\\d+)\\r?\\n([^]*)$`).exec(head) ?? [];
				if (line === undefined) {
					if (head.length <= MAX_HEAD) return;
					// This much output cannot come from our script.
					const all = head;
					head = undefined;
					return take(all);
				}
				leader = pid;
				head = undefined;
				if (rest) take(rest);
			});
			// A shell that did not start has printed the reason.
			output.once('end', () => head && take(head));
		},
		pause: () => output.pause(),
		resume: () => output.resume(),
		write: (data) => void (input.writable && input.write(data)),
		resize: (size) => terminal.resize(size),
		hangUp: async () => {
			if (leader !== undefined) await collected(prefix.run(SESSION_KILLER, [leader]));
			terminal.close();
		},
		exited
	};
}
