import type { ImageFacts } from "./read-result.js";

/**
 * What the first bytes of a file say of an image; undefined when it is none. Layouts: PNG and its IHDR chunk, GIF's
 * logical screen, WebP's three kinds, JPEG's start-of-frame segment.
 */
export function imageFacts(head: Uint8Array): ImageFacts | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const text = (from: number, to: number): string => String.fromCharCode(...head.subarray(from, to));
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") {
    return head.length < 24
      ? { mimeType: "image/png" }
      : { mimeType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (/^GIF8[79]a$/.test(text(0, 6))) {
    return head.length < 10
      ? { mimeType: "image/gif" }
      : { mimeType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
  }
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return webp(head, view, text(12, 16));
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return jpeg(head, view);
  if (text(0, 2) === "BM" && head.length >= 26 && view.getUint32(6, true) === 0) {
    return {
      mimeType: "image/bmp",
      width: view.getInt32(18, true),
      height: Math.abs(view.getInt32(22, true)),
    };
  }
  if (text(0, 4) === "II*\0" || text(0, 4) === "MM\0*") return { mimeType: "image/tiff" };
  return undefined;
}

function webp(head: Uint8Array, view: DataView, kind: string): ImageFacts {
  const mimeType = "image/webp";
  if (kind === "VP8 " && head.length >= 30) {
    return { mimeType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (kind === "VP8L" && head.length >= 25) {
    const bits = view.getUint32(21, true);
    return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (kind === "VP8X" && head.length >= 30) {
    const uint24 = (at: number): number => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    return { mimeType, width: uint24(24) + 1, height: uint24(27) + 1 };
  }
  return { mimeType };
}

/** Walks the segments to the first start-of-frame: markers C0 to CF but C4, C8 and CC. */
function jpeg(head: Uint8Array, view: DataView): ImageFacts {
  const mimeType = "image/jpeg";
  let at = 2;
  while (at + 9 <= head.length && head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { mimeType, width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return { mimeType };
}
