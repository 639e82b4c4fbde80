import { clearLine, clearScreenDown, cursorTo, moveCursor } from './cursor.ts';
import { Interface } from './interface.ts';
import { emitKeypressEvents } from './keypress.ts';
import { createReadlinePromises } from './promises.ts';
import { promisifiedQuestion } from './question.ts';

type Created = ConstructorParameters<typeof Interface>;

/** `node:readline`. */
export function createReadline(): Record<string, unknown> {
	promisifiedQuestion(Interface.prototype);
	return {
		Interface,
		createInterface: (...args: Created) => new Interface(...args),
		clearLine,
		clearScreenDown,
		cursorTo,
		moveCursor,
		emitKeypressEvents,
		promises: createReadlinePromises()
	};
}
