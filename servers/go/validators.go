package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// entityTag leaves out the sign of a weak one; some servers leave out the quotes.
var entityTag = regexp.MustCompile(`(?:W/)?("[^"]*"|[^\s",](?:[^",]*[^\s",])?)`)

// oneRange has more digits than any file needs, and few enough for a number.
var oneRange = regexp.MustCompile(`^bytes=([0-9]{0,15})-([0-9]{0,15})$`)

// part is what is sent of a body: so many bytes from an offset on. Without bytes nothing is.
type part struct{ offset, bytes int64 }

// isNotModified says whether the browser has the response already (RFC 9110, sections 13.1.2 and 13.1.3).
func isNotModified(asked request, of *resource) bool {
	if known, isThere := asked.header("if-none-match"); isThere {
		etag, _ := of.header("etag")
		if etag == "" {
			return false
		}
		tags := []string{}
		for _, found := range entityTag.FindAllStringSubmatch(known, -1) {
			tags = append(tags, found[1])
		}
		return strings.TrimSpace(known) == "*" || slices.Contains(tags, strings.TrimPrefix(etag, "W/"))
	}
	since, isThere := asked.header("if-modified-since")
	return isThere && isNotBefore(since, of)
}

// isSameForRange says whether a range may be answered with a part (RFC 9110, section 13.1.5).
func isSameForRange(asked request, of *resource) bool {
	condition, isThere := asked.header("if-range")
	if !isThere {
		return true
	}
	if _, _, isDate := readHTTPDate(condition); isDate {
		return isNotBefore(condition, of)
	}
	etag, isThere := of.header("etag")
	return isThere && condition == etag && !strings.HasPrefix(etag, "W/")
}

// isNotBefore compares with Last-Modified as recorded: it goes out shifted, each time by more, and never below that.
func isNotBefore(text string, of *resource) bool {
	lastModified, _ := of.header("last-modified")
	sent, _, isSentDate := readHTTPDate(text)
	recorded, _, isRecordedDate := readHTTPDate(lastModified)
	return isSentDate && isRecordedDate && !sent.Before(recorded)
}

// partOf reads a Range header (RFC 9110, section 14.1.2); isOne: it asks for one part in bytes, else the whole is sent. Without bytes
// the part begins behind the end.
func partOf(header string, bodyBytes int64) (asked part, isOne bool) {
	found := oneRange.FindStringSubmatch(strings.ToLower(strings.TrimSpace(header)))
	if found == nil || found[1]+found[2] == "" || bodyBytes == 0 {
		return part{}, false
	}
	// Fifteen digits always fit; an empty one is 0.
	first, _ := strconv.ParseInt(found[1], 10, 64)
	last, _ := strconv.ParseInt(found[2], 10, 64)
	switch {
	case found[1] == "":
		bytes := min(last, bodyBytes)
		return part{bodyBytes - bytes, bytes}, true
	case found[2] == "":
		last = bodyBytes - 1
	case last < first:
		return part{}, false
	}
	return part{first, max(0, min(last, bodyBytes-1)+1-first)}, true
}

// contentRange names the place of a part; of one that begins behind the end only the size.
func (of part) contentRange(bodyBytes int64) string {
	if of.bytes == 0 {
		return fmt.Sprintf("bytes */%d", bodyBytes)
	}
	return fmt.Sprintf("bytes %d-%d/%d", of.offset, of.offset+of.bytes-1, bodyBytes)
}
