/** Types of the used parts of mpd-parser 1.4.0, which ships none. Times are in seconds. */
declare module 'mpd-parser' {
  interface SegmentForm {
    duration?: number;
    timescale?: number;
    startNumber?: number;
    endNumber?: string | number;
  }

  export interface RepresentationInfo {
    attributes: {
      id?: string;
      bandwidth?: number;
      codecs?: string;
      contentType?: string;
      mimeType?: string;
      width?: number;
      height?: number;
      periodStart: number;
      periodDuration?: number;
      sourceDuration: number;
    };
    segmentInfo: {
      template?: SegmentForm & { media?: string; initialization?: { sourceURL?: string } };
      list?: SegmentForm;
      base?: object;
      segmentTimeline?: { d?: number; r?: number; t?: number }[];
    };
  }

  /** Part of a file; without a range, all of it. */
  export interface Piece {
    /** As written in the manifest. */
    uri: string;
    resolvedUri: string;
    byterange?: { offset: number | bigint; length: number | bigint };
  }

  export interface ParsedSegment extends Piece {
    duration: number;
    presentationTime: number;
    map?: Piece;
  }

  export function inheritAttributes(
    mpd: Element,
    options: { manifestUri: string },
  ): { representationInfo: RepresentationInfo[] };

  export function toPlaylists(representations: readonly RepresentationInfo[]): {
    segments?: ParsedSegment[];
    /** Location of the index of a single file, which lists its segments. */
    sidx?: ParsedSegment;
  }[];
}
