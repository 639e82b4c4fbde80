import type { PreviewSize } from '#environment/preview.ts';

/** Devices whose size a page can be displayed in, in CSS pixels. */
export const DEVICES = {
	phone: { width: 390, height: 844 },
	tablet: { width: 820, height: 1180 },
	laptop: { width: 1280, height: 800 },
	desktop: { width: 1920, height: 1080 }
} as const satisfies Record<string, PreviewSize>;

export type Device = keyof typeof DEVICES;

/** Device with a size, in portrait or landscape; `null` for other sizes. */
export function deviceOf(size: PreviewSize | null): Device | null {
	const found = Object.entries(DEVICES).find(
		([, { width, height }]) =>
			(size?.width === width && size.height === height) || (size?.width === height && size.height === width)
	);
	return found ? (found[0] as Device) : null;
}

/** Size rotated by 90°. */
export const turned = ({ width, height }: PreviewSize): PreviewSize => ({ width: height, height: width });

/**
 * Scale factor that makes a page of a size fit the width; at most 1.
 *
 * @param room available width in pixels
 */
export const scaleFor = (size: PreviewSize, room: number): number => (room > 0 ? Math.min(1, room / size.width) : 1);
