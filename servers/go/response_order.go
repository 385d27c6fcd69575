//go:build !go1.27

package main

import (
	"net/http"
	_ "unsafe" // For linkname.

	"golang.org/x/net/http2"
)

// newPriorityScheduler orders frames by urgency and incremental (RFC 9218). The package itself uses it with Go 1.27 only.
//
//go:linkname newPriorityScheduler golang.org/x/net/http2.newPriorityWriteSchedulerRFC9218
func newPriorityScheduler() http2.WriteScheduler

// setResponseOrder keeps HTTP/2 of net/http, which interleaves responses, or replaces it by the package of which it is a copy.
func setResponseOrder(server *http.Server, byPriority bool) error {
	if !byPriority {
		return nil
	}
	protocols := server.TLSConfig.NextProtos
	err := http2.ConfigureServer(server, &http2.Server{NewWriteScheduler: newPriorityScheduler})
	// Without HTTP/1.1, which that adds.
	server.TLSConfig.NextProtos = protocols
	return err
}

func libraryByPriority() string { return "golang.org/x/net/http2 " + versionOf("golang.org/x/net") }
