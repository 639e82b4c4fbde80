import { UsageError, utility } from '../options.ts';
import { WriteFailed } from '#computer/shell/streams/open-file.ts';

const USAGE_STATUS = 2;
const WRITE_STATUS = 3;

/** `tty`: prints the terminal of standard input. */
export const tty = utility(
	's|silent|quiet',
	async (call, options) => {
		const [extra] = options.operands;
		if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
		const kernel = call.shell.descriptors.get(0)?.kernel;
		const isTerminal = kernel !== undefined && call.shell.host.context.sync.isTerminal(kernel);
		try {
			if (!options.has('s')) await call.out(isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
		} catch (error) {
			if (!(error instanceof WriteFailed)) throw error;
			await call.complain(`write error: ${error.message}`);
			return WRITE_STATUS;
		}
		return isTerminal ? 0 : 1;
	},
	USAGE_STATUS
);
