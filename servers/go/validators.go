package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// entityTag skips the weak prefix, and accepts tags without quotes, which some servers send.
var entityTag = regexp.MustCompile(`(?:W/)?("[^"]*"|[^\s",](?:[^",]*[^\s",])?)`)

// oneRange matches one range; 15 digits are more than any file needs, and fit into a number.
var oneRange = regexp.MustCompile(`^bytes=([0-9]{0,15})-([0-9]{0,15})$`)

// part is the part of a body to send; 0 bytes: no body.
type part struct{ offset, bytes int64 }

// isNotModified reports whether the browser has the response already (RFC 9110, sections 13.1.2 and 13.1.3).
func isNotModified(requested request, of *resource) bool {
	if known, isThere := requested.header("if-none-match"); isThere {
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
	since, isThere := requested.header("if-modified-since")
	return isThere && isNotBefore(since, of)
}

// isSameForRange reports whether a range may be answered with a part (RFC 9110, section 13.1.5).
func isSameForRange(requested request, of *resource) bool {
	condition, isThere := requested.header("if-range")
	if !isThere {
		return true
	}
	if _, _, isDate := readHTTPDate(condition); isDate {
		return isNotBefore(condition, of)
	}
	etag, isThere := of.header("etag")
	return isThere && condition == etag && !strings.HasPrefix(etag, "W/")
}

// isNotBefore compares with the recorded Last-Modified, which is sent shifted to a later date each time.
func isNotBefore(text string, of *resource) bool {
	lastModified, _ := of.header("last-modified")
	sent, _, isSentDate := readHTTPDate(text)
	recorded, _, isRecordedDate := readHTTPDate(lastModified)
	return isSentDate && isRecordedDate && !sent.Before(recorded)
}

// partOf parses a Range header (RFC 9110, section 14.1.2); isOne: it requests one range of bytes, otherwise the whole
// body is sent. A part of 0 bytes begins behind the end.
func partOf(header string, bodyBytes int64) (requested part, isOne bool) {
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

// contentRange describes a part; of one behind the end, only the size.
func (of part) contentRange(bodyBytes int64) string {
	if of.bytes == 0 {
		return fmt.Sprintf("bytes */%d", bodyBytes)
	}
	return fmt.Sprintf("bytes %d-%d/%d", of.offset, of.offset+of.bytes-1, bodyBytes)
}
