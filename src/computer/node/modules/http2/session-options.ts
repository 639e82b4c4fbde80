import { invalidArgument } from '../../runtime/errors.ts';
import { integer, optional } from '../../runtime/validate.ts';
import { PADDING } from './constants.ts';
import { http2Error, invalidSetting } from './errors.ts';
import type { ConnectionOptions } from './protocol/connection-state.ts';
import { MAX_CUSTOM_SETTINGS, objectOrNone, type SessionSettings } from './session-settings.ts';

/** Options of sessions, as programs give them. */
export interface SessionOptions {
	settings?: SessionSettings;
	maxDeflateDynamicTableSize?: number;
	maxReservedRemoteStreams?: number;
	maxSendHeaderBlockLength?: number;
	peerMaxConcurrentStreams?: number;
	paddingStrategy?: number;
	maxHeaderListPairs?: number;
	maxOutstandingPings?: number;
	maxOutstandingSettings?: number;
	/** Megabytes. */
	maxSessionMemory?: number;
	maxSettings?: number;
	streamResetBurst?: number;
	streamResetRate?: number;
	strictFieldWhitespaceValidation?: boolean;
	maxSessionInvalidFrames?: number;
	maxSessionRejectedStreams?: number;
	remoteCustomSettings?: number[];
	origins?: unknown[];
	unknownProtocolTimeout?: number;
}

const UINT_32 = integer(0, 2 ** 32 - 1);

/** @throws ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_INVALID_ARG_TYPE */
export function checkCustomSettings({ remoteCustomSettings }: SessionOptions): void {
	if (remoteCustomSettings === undefined) return;
	if (!Array.isArray(remoteCustomSettings))
		throw invalidArgument('options.remoteCustomSettings', 'an instance of Array', remoteCustomSettings);
	if (remoteCustomSettings.length > MAX_CUSTOM_SETTINGS) throw http2Error('TOO_MANY_CUSTOM_SETTINGS');
}

/** Checks the options of a server. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
export function serverOptions<Given extends SessionOptions>(given: Given | undefined): Given {
	objectOrNone(given, 'options');
	const options = { ...given } as Given;
	objectOrNone(options.settings, 'options.settings');
	options.settings = { ...options.settings };
	checkCustomSettings(options);
	for (const name of ['maxSessionInvalidFrames', 'maxSessionRejectedStreams', 'unknownProtocolTimeout'] as const)
		optional(UINT_32)(options[name], name);
	options.unknownProtocolTimeout ??= 10_000;
	return options;
}

type Pad = NonNullable<ConnectionOptions['pad']>;

/** Padding of payloads, by strategy. */
const PADS: Record<number, Pad> = {
	[PADDING.ALIGNED]: (length, most) => Math.min(most, length + ((8 - ((length + 9) % 8)) % 8)),
	[PADDING.MAX]: (_length, most) => most
};

const numberOr = (value: unknown, usual: number): number => (typeof value === 'number' ? value : usual);
const atLeastOne = (value: unknown, usual: number): number => Math.max(1, numberOr(value, usual));

/** Limits of a connection. Values that are no numbers count as not given. */
export function connectionOptions(given: SessionOptions, isServer: boolean): ConnectionOptions {
	const customSettings = given.remoteCustomSettings ?? [];
	for (const id of customSettings) {
		if (!(typeof id === 'number' && id >= 0 && id <= 0xffff))
			throw invalidSetting('Range Error', id, { min: 0, max: 0xffff });
	}
	return {
		isServer,
		maxTableBytes: numberOr(given.maxDeflateDynamicTableSize, 4096),
		maxReservedStreams: numberOr(given.maxReservedRemoteStreams, 200),
		maxSentHeaderBytes: numberOr(given.maxSendHeaderBlockLength, 65_536),
		peerMaxStreams: numberOr(given.peerMaxConcurrentStreams, 100),
		pad: PADS[numberOr(given.paddingStrategy, PADDING.NONE)],
		maxHeaderPairs: Math.max(isServer ? 4 : 1, numberOr(given.maxHeaderListPairs, 128)),
		maxPings: numberOr(given.maxOutstandingPings, 10),
		maxSettings: atLeastOne(given.maxOutstandingSettings, 10),
		maxMemoryBytes: atLeastOne(given.maxSessionMemory, 10) * 1_000_000,
		maxSettingEntries: atLeastOne(given.maxSettings, 32),
		resetBurst: atLeastOne(given.streamResetBurst, 1000),
		resetRate: atLeastOne(given.streamResetRate, 33),
		isStrict: given.strictFieldWhitespaceValidation !== false,
		maxInvalidFrames: numberOr(given.maxSessionInvalidFrames, 1000),
		maxRejectedStreams: numberOr(given.maxSessionRejectedStreams, 100),
		customSettings
	};
}
