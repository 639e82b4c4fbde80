import { collected } from '#environment/prefix/collected.ts';
import type { ExecChannel } from '#environment/prefix/exec-channel.ts';
import { IDLE_MARK } from './pod.ts';

/**
 * Sends a signal to all processes except process 1, the script itself and its ancestors, which report its end. If
 * process 1 is not ours, the pod shares its process namespace with something else, and nothing is signaled.
 */
const SIGNAL_ALL = `
case $(tr '\\0' ' ' </proc/1/cmdline) in
*${IDLE_MARK}*) ;;
*) echo 'Process 1 is no machine.' >&2; exit 1 ;;
esac
kill -s "$1" -- -1 2>/dev/null
process=$PPID
while [ "\${process:-0}" -gt 1 ]; do
	kill -s CONT "$process"
	read -r state <"/proc/$process/stat" || break
	set -- \${state##*) }
	process=$2
done 2>/dev/null
exit 0
`;

/** Pauses or resumes all processes of a machine. @throws Error with the reason */
export async function signalAll(channel: ExecChannel, signal: 'STOP' | 'CONT'): Promise<void> {
	const { code, stderr } = await collected(channel.open(['sh', '-c', SIGNAL_ALL, 'sh', signal]));
	if (code !== 0) throw new Error(`The machine could not be sent ${signal}: ${stderr.trim() || `code ${code}`}`);
}
