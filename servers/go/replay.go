package main

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// alternativeService makes Chromium send as many requests at a time as to any server with HTTP/3; every stack sends it.
const alternativeService = `h3=":443"; ma=86400`

// bodyHeaders describe a body that is not sent.
var bodyHeaders = []string{"content-encoding", "content-language", "content-range", "content-type"}

// request is the part of a request that decides its answer.
type request struct {
	method, host string
	// Path and query, not decoded.
	path string
	// Returns a header field by its name in lower case; several of one name are joined.
	header func(name string) (value string, isThere bool)
}

// reply is the response without the bytes of its body.
type reply struct {
	status  int
	headers []field
	// `exact`, `query` or `none`.
	match string
	// The matched resource; nil: no match.
	resource *resource
	// The part of its body file to send.
	body part
	// Delay of the recorded server's answer, in whole ms.
	wait time.Duration
}

var miss = reply{status: http.StatusNotFound, match: "none"}

// replay answers requests by the rules "Replay" in servers/README.md, without input or output.
type replay struct {
	matcher    matcher
	recordedAt *time.Time
}

func newReplay(site *manifest, subResources string) *replay {
	guesses := subResources == "served"
	resources := documentChainOf(site)
	if guesses {
		resources = nil
		for index := range site.Resources {
			resources = append(resources, &site.Resources[index])
		}
	}
	of := &replay{matcher: newMatcher(resources, guesses)}
	if site.RecordedAt != nil {
		at := site.RecordedAt.Truncate(time.Second)
		of.recordedAt = &at
	}
	return of
}

// reply returns the response to a request at time `now`.
func (of *replay) reply(req request, now time.Time) reply {
	now = now.Truncate(time.Second)
	return of.answer(req, now).completed(req.method, now)
}

// failed is the response if the recorded body cannot be read.
func failed(method string, now time.Time) reply {
	failure := miss
	failure.status = http.StatusInternalServerError
	return failure.completed(method, now)
}

// completed adds the date, the offer of HTTP/3 and, where HTTP allows a body, its length.
func (of reply) completed(method string, now time.Time) reply {
	headers := append(slices.Clone(of.headers),
		field{"date", httpDate(now, dateLayout)}, field{"alt-svc", alternativeService})
	isLengthless := of.status == http.StatusNoContent || of.status == http.StatusNotModified
	if !isLengthless {
		headers = append(headers, field{"content-length", strconv.FormatInt(of.body.bytes, 10)})
	}
	if isLengthless || method == http.MethodHead {
		of.body = part{}
	}
	of.headers = headers
	return of
}

// answer returns a reply without the fields that every reply has.
func (of *replay) answer(req request, now time.Time) reply {
	if _, isThere := req.header("service-worker"); isThere {
		return miss
	}
	wanted := req.method
	isPreflight := req.method == http.MethodOptions
	if isPreflight {
		_, hasOrigin := req.header("origin")
		method, hasMethod := req.header("access-control-request-method")
		if !hasOrigin || !hasMethod {
			return miss
		}
		wanted = method
	}
	sought := wanted
	if wanted == http.MethodHead {
		sought = http.MethodGet
	}
	match, found := of.matcher.find(sought, strings.TrimSuffix(strings.ToLower(req.host), ":443"), req.path)
	if found == nil {
		return miss
	}
	if isPreflight {
		return reply{status: http.StatusNoContent, headers: permission(req, wanted), match: match, resource: found}
	}
	cookies, _ := req.header("cookie")
	found = answerTo(found, cookies)
	made := recorded(req, found, shiftedHeaders(found.Headers, of.recordedAt, now))
	made.match, made.resource = match, found
	made.wait = time.Duration(math.Floor(found.WaitMs+0.5)) * time.Millisecond
	return made
}

// permission has the headers that a CORS preflight requests.
func permission(req request, method string) []field {
	origin, _ := req.header("origin")
	headers := []field{{"access-control-allow-origin", origin}, {"access-control-allow-methods", method}}
	if names, isThere := req.header("access-control-request-headers"); isThere {
		headers = append(headers, field{"access-control-allow-headers", names})
	}
	return append(headers, field{"access-control-allow-credentials", "true"})
}

// recorded returns the recorded response: whole, in part, or as not modified.
func recorded(req request, of *resource, headers []field) reply {
	whole := reply{status: of.Status, headers: headers, body: part{0, of.WireBytes}}
	if of.Status != http.StatusOK || (req.method != http.MethodGet && req.method != http.MethodHead) {
		return whole
	}
	if isNotModified(req, of) {
		return reply{status: http.StatusNotModified, headers: without(headers, bodyHeaders...)}
	}
	ranges, _ := of.header("accept-ranges")
	asksFor, isThere := req.header("range")
	if !isThere || req.method != http.MethodGet || ranges == "none" || !isSameForRange(req, of) {
		return whole
	}
	wanted, isOne := partOf(asksFor, of.WireBytes)
	if !isOne {
		return whole
	}
	place := field{"content-range", wanted.contentRange(of.WireBytes)}
	if wanted.bytes == 0 {
		headers = append(without(headers, bodyHeaders...), place)
		return reply{status: http.StatusRequestedRangeNotSatisfiable, headers: headers}
	}
	headers = append(without(headers, "content-range"), place)
	return reply{status: http.StatusPartialContent, headers: headers, body: wanted}
}

func without(headers []field, names ...string) []field {
	return slices.DeleteFunc(slices.Clone(headers), func(each field) bool {
		return slices.Contains(names, each[0])
	})
}
