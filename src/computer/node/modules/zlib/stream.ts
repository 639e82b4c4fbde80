import { CodecStream } from './codec-stream.ts';
import { PARAMETERS } from './constants.ts';
import { Engine } from './engine.ts';
import { LEVELS, numberWithin, type Options, settingsOf, STRATEGIES } from './settings.ts';

type After = () => void;

/** Base of the streams of zlib's own formats. */
export class ZlibStream extends CodecStream<Engine> {
	_level: number;
	_strategy: number;
	_chunkSize: number;

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	constructor(mode: number, options?: Options | null) {
		const settings = settingsOf(mode, options ?? {});
		super(new Engine(settings), { ...settings, fullFlush: PARAMETERS.Z_FULL_FLUSH }, options);
		this._level = settings.level;
		this._strategy = settings.strategy;
		this._chunkSize = settings.chunkSize;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	params(level: number, strategy: number, done?: After): void {
		const [nextLevel, nextStrategy] = [
			numberWithin(level, 'level', LEVELS, PARAMETERS.Z_DEFAULT_LEVEL),
			numberWithin(strategy, 'strategy', STRATEGIES, PARAMETERS.Z_DEFAULT_STRATEGY)
		];
		if (this._level === nextLevel && this._strategy === nextStrategy) {
			if (done) CodecStream.loop.nextTick(done, []);
			return;
		}
		this.flush(PARAMETERS.Z_SYNC_FLUSH, () => {
			if (!this._handle) return;
			this._handle.tune(nextLevel, nextStrategy);
			[this._level, this._strategy] = [nextLevel, nextStrategy];
			done?.();
		});
	}
}
