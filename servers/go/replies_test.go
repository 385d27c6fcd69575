package main

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

// testSite is a site without body files, with its requests.
type testSite struct {
	manifest
	SubResources string `json:"subResources"`
}

type plainRequest struct {
	Method, Host, Path string
	Headers            map[string]string
	NowMs              int64
}

type plainReply struct {
	Status  int     `json:"status"`
	Headers []field `json:"headers"`
	Match   string  `json:"match"`
	URL     *string `json:"url"`
	Bytes   []int64 `json:"bytes"`
	WaitMs  int64   `json:"waitMs"`
}

// TestMain runs no tests: it reads pairs of a site and requests as JSON from stdin, and prints the replies.
// test/e2e/go-replay.test.ts has the expected ones.
func TestMain(*testing.M) {
	var cases [][2]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		fail(err)
	}
	replies := [][]plainReply{}
	for _, each := range cases {
		replies = append(replies, repliesOf(each[0], each[1]))
	}
	printLine(replies)
}

func repliesOf(siteText, requestsText json.RawMessage) []plainReply {
	site := testSite{SubResources: "served"}
	var requests []plainRequest
	for text, value := range map[*json.RawMessage]any{&siteText: &site, &requestsText: &requests} {
		if err := json.Unmarshal(*text, value); err != nil {
			fail(err)
		}
	}
	of := newReplay(&site.manifest, site.SubResources)
	replies := []plainReply{}
	for _, each := range requests {
		header := func(name string) (string, bool) {
			value, isThere := each.Headers[name]
			return value, isThere
		}
		made := of.reply(request{each.Method, each.Host, each.Path, header}, time.UnixMilli(each.NowMs))
		plain := plainReply{Status: made.status, Headers: made.headers, Match: made.match, WaitMs: made.wait.Milliseconds()}
		if made.resource != nil {
			plain.URL = &made.resource.URL
		}
		if made.body.bytes > 0 {
			plain.Bytes = []int64{made.body.offset, made.body.offset + made.body.bytes - 1}
		}
		replies = append(replies, plain)
	}
	return replies
}
