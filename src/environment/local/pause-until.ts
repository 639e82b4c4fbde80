/** Pauses a stream until its consumer is ready: the program that writes to it then waits. */
export function pauseUntil(stream: { pause(): unknown; resume(): unknown }, consumer: unknown): void {
	if (!(consumer instanceof Promise)) return;
	stream.pause();
	const resume = (): void => void stream.resume();
	consumer.then(resume, resume);
}
