import type { TestEvent } from '../events.ts';

/** Output and format of a reporter. */
export interface ReporterOptions {
	write(text: string): void;
	colours: boolean;
	cwd: string;
}

/** Receives the events of a run in order and writes its output. */
export type Reporter = (event: TestEvent) => void;
