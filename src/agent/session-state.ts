import type { SessionState } from './events.ts';

/** All transitions of 000 §2.3. */
const TRANSITIONS: Record<SessionState, readonly SessionState[]> = {
	idle: ['processing', 'closed'],
	processing: ['idle', 'awaiting_input', 'closed'],
	awaiting_input: ['processing', 'closed'],
	closed: []
};

export function mayChange(from: SessionState, to: SessionState): boolean {
	return TRANSITIONS[from].includes(to);
}

/** Returns true if the last sentence of an answer asks the user something. */
export function endsWithQuestion(text: string): boolean {
	return /[?？]["'”’」』)）\]*_`\s]*$/u.test(text);
}
