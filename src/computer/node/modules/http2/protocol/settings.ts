import { SETTING } from './codes.ts';
import { MAX_WINDOW, PAYLOAD_BYTES } from './frames.ts';

/** Settings of one side of a connection. */
export interface Settings {
	headerTableSize: number;
	enablePush: number;
	maxConcurrentStreams: number;
	initialWindowSize: number;
	maxFrameSize: number;
	maxHeaderListSize: number;
	enableConnectProtocol: number;
	/** Values of other identifiers. */
	custom: Map<number, number>;
}

/** Identifier and value of a setting, as on the wire. */
export type SettingEntry = readonly [id: number, value: number];

export const UNLIMITED = 2 ** 32 - 1;

/** Settings before any were received. */
export const initialSettings = (): Settings => ({
	headerTableSize: 4096,
	enablePush: 1,
	maxConcurrentStreams: UNLIMITED,
	initialWindowSize: 65_535,
	maxFrameSize: PAYLOAD_BYTES,
	maxHeaderListSize: UNLIMITED,
	enableConnectProtocol: 0,
	custom: new Map()
});

type Known = Exclude<keyof Settings, 'custom'>;

/** Fields of settings by their identifiers. */
export const SETTING_FIELDS: Record<number, Known> = {
	[SETTING.HEADER_TABLE_SIZE]: 'headerTableSize',
	[SETTING.ENABLE_PUSH]: 'enablePush',
	[SETTING.MAX_CONCURRENT_STREAMS]: 'maxConcurrentStreams',
	[SETTING.INITIAL_WINDOW_SIZE]: 'initialWindowSize',
	[SETTING.MAX_FRAME_SIZE]: 'maxFrameSize',
	[SETTING.MAX_HEADER_LIST_SIZE]: 'maxHeaderListSize',
	[SETTING.ENABLE_CONNECT_PROTOCOL]: 'enableConnectProtocol'
};

/**
 * Kind of the violation, if a received setting is invalid.
 * @param ofServer settings that the server sent before; null if a client sends it
 */
export function violationOf(id: number, value: number, ofServer: Settings | null): 'protocol' | 'window' | null {
	switch (id) {
		case SETTING.ENABLE_PUSH:
			return value > (ofServer ? 0 : 1) ? 'protocol' : null;
		case SETTING.ENABLE_CONNECT_PROTOCOL:
			return value > 1 || (ofServer && value < ofServer.enableConnectProtocol) ? 'protocol' : null;
		case SETTING.INITIAL_WINDOW_SIZE:
			return value > MAX_WINDOW ? 'window' : null;
		case SETTING.MAX_FRAME_SIZE:
			return value < PAYLOAD_BYTES || value > 2 ** 24 - 1 ? 'protocol' : null;
		default:
			return null;
	}
}
