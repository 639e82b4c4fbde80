import { Buffer } from 'buffer';
import { inspect } from 'node-inspect-extracted';
import { invalidArgument } from '../../runtime/errors.ts';
import { http2Error, invalidSetting } from './errors.ts';
import { SETTING } from './protocol/codes.ts';
import { settingsPayload, uint16, uint32 } from './protocol/frames.ts';
import type { SettingEntry, Settings } from './protocol/settings.ts';

/** Settings as programs see them. */
export type SessionSettings = Record<string, unknown>;

const MAX_32 = 2 ** 32 - 1;
/** Number of settings beyond the registered ones. */
export const MAX_CUSTOM_SETTINGS = 10;

/** Ranges of the settings that are numbers. */
const RANGES: Record<string, readonly [min: number, max: number]> = {
	headerTableSize: [0, MAX_32],
	initialWindowSize: [0, 2 ** 31 - 1],
	maxFrameSize: [16_384, 2 ** 24 - 1],
	maxConcurrentStreams: [0, MAX_32],
	maxHeaderListSize: [0, MAX_32],
	maxHeaderSize: [0, MAX_32]
};

/** Checks for an object, if there is a value. @throws ERR_INVALID_ARG_TYPE */
export function objectOrNone(value: unknown, name: string, expected = 'of type object'): void {
	if (value === undefined || (value !== null && typeof value === 'object' && !Array.isArray(value))) return;
	throw invalidArgument(name, expected, value);
}

function checkRange(name: string, value: unknown, [min, max]: readonly [number, number]): void {
	if (value === undefined || (typeof value === 'number' && !(value < min || value > max))) return;
	throw invalidSetting(name, value, { min, max });
}

/** @throws ERR_HTTP2_INVALID_SETTING_VALUE, ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_INVALID_ARG_TYPE */
export function checkSettings(settings: SessionSettings): void {
	const { customSettings } = settings;
	if (customSettings !== undefined) {
		if (customSettings === null || typeof customSettings !== 'object' || Array.isArray(customSettings))
			throw invalidArgument('customSettings', 'an instance of Number', customSettings);
		const entries = Object.entries(customSettings);
		if (entries.length > MAX_CUSTOM_SETTINGS) throw http2Error('TOO_MANY_CUSTOM_SETTINGS');
		for (const [id, value] of entries) {
			checkRange('customSettings:id', Number(id), [0, 0xffff]);
			checkRange('customSettings:value', Number(value), [0, MAX_32]);
		}
	}
	for (const [name, range] of Object.entries(RANGES)) checkRange(name, settings[name], range);
	for (const name of ['enablePush', 'enableConnectProtocol']) {
		const value = settings[name];
		if (value !== undefined && typeof value !== 'boolean') throw invalidSetting(name, value);
	}
}

/** Settings in the order in which Node sends them. */
export function settingEntries(settings: SessionSettings, warn: (words: string) => void): SettingEntry[] {
	const { maxHeaderSize, maxHeaderListSize, customSettings } = settings;
	const isOverwritten = maxHeaderSize !== undefined && maxHeaderSize !== maxHeaderListSize;
	if (isOverwritten) warn('settings.maxHeaderSize overwrite settings.maxHeaderListSize');
	const entries: SettingEntry[] = [];
	const add = (id: number, value: unknown) => {
		if (typeof value === 'number' || typeof value === 'boolean') entries.push([id, Number(value)]);
	};
	add(SETTING.HEADER_TABLE_SIZE, settings['headerTableSize']);
	add(SETTING.ENABLE_PUSH, settings['enablePush']);
	add(SETTING.MAX_CONCURRENT_STREAMS, settings['maxConcurrentStreams']);
	add(SETTING.INITIAL_WINDOW_SIZE, settings['initialWindowSize']);
	add(SETTING.MAX_FRAME_SIZE, settings['maxFrameSize']);
	add(SETTING.MAX_HEADER_LIST_SIZE, isOverwritten ? maxHeaderSize : maxHeaderListSize);
	add(SETTING.ENABLE_CONNECT_PROTOCOL, settings['enableConnectProtocol']);
	for (const [id, value] of Object.entries(customSettings ?? {})) add(Number(id), value);
	return entries;
}

/** Settings in the form of `session.localSettings`. */
export function shownSettings(settings: Settings): SessionSettings {
	const { custom, maxHeaderListSize } = settings;
	return {
		headerTableSize: settings.headerTableSize,
		enablePush: settings.enablePush !== 0,
		initialWindowSize: settings.initialWindowSize,
		maxFrameSize: settings.maxFrameSize,
		maxConcurrentStreams: settings.maxConcurrentStreams,
		maxHeaderListSize,
		maxHeaderSize: maxHeaderListSize,
		enableConnectProtocol: settings.enableConnectProtocol !== 0,
		...(custom.size > 0 ? { customSettings: Object.fromEntries(custom) } : {})
	};
}

/** `http2.getDefaultSettings`. */
export const defaultSettings = (): SessionSettings =>
	Object.assign(Object.create(null) as SessionSettings, {
		headerTableSize: 4096,
		enablePush: true,
		initialWindowSize: 65_535,
		maxFrameSize: 16_384,
		maxConcurrentStreams: MAX_32,
		maxHeaderSize: 65_535,
		maxHeaderListSize: 65_535,
		enableConnectProtocol: false
	});

/** `http2.getPackedSettings`: payload of a SETTINGS frame. */
export function packedSettings(settings: unknown, warn: (words: string) => void): Buffer {
	objectOrNone(settings, 'settings');
	const given = (settings ?? {}) as SessionSettings;
	checkSettings(given);
	return Buffer.from(settingsPayload(settingEntries(given, warn)));
}

const NAMES: Record<number, string> = {
	[SETTING.HEADER_TABLE_SIZE]: 'headerTableSize',
	[SETTING.MAX_CONCURRENT_STREAMS]: 'maxConcurrentStreams',
	[SETTING.INITIAL_WINDOW_SIZE]: 'initialWindowSize',
	[SETTING.MAX_FRAME_SIZE]: 'maxFrameSize'
};

/** `http2.getUnpackedSettings`. @throws ERR_HTTP2_INVALID_PACKED_SETTINGS_LENGTH, ERR_INVALID_ARG_TYPE */
export function unpackedSettings(packed: unknown, options: { validate?: boolean } | null = {}): SessionSettings {
	if (!ArrayBuffer.isView(packed) || !('length' in packed))
		throw invalidArgument('buf', 'an instance of Buffer or TypedArray', packed);
	const bytes = Uint8Array.from(packed as unknown as ArrayLike<number>);
	if (bytes.length % 6 !== 0) throw http2Error('INVALID_PACKED_SETTINGS_LENGTH');
	const settings: SessionSettings = {};
	for (let at = 0; at < bytes.length; at += 6) {
		const id = uint16(bytes, at);
		const value = uint32(bytes, at + 2);
		const name = NAMES[id];
		if (name) settings[name] = value;
		else if (id === SETTING.ENABLE_PUSH) settings['enablePush'] = value !== 0;
		else if (id === SETTING.ENABLE_CONNECT_PROTOCOL) settings['enableConnectProtocol'] = value !== 0;
		else if (id === SETTING.MAX_HEADER_LIST_SIZE) settings['maxHeaderListSize'] = settings['maxHeaderSize'] = value;
		else settings['customSettings'] = { ...(settings['customSettings'] as object | undefined), [id]: value };
	}
	if (options?.validate) checkSettings(settings);
	return settings;
}

/** Text of an object of the module, for `util.inspect`. */
export const shownAs = (name: string, fields: object): string => `${name} ${inspect(fields)}`;
