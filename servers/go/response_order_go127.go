//go:build go1.27

package main

import "net/http"

// setResponseOrder: HTTP/2 of net/http itself orders responses by priority (RFC 9218), or interleaves them.
func setResponseOrder(server *http.Server, byPriority bool) error {
	server.DisableClientPriority = !byPriority
	return nil
}

func libraryByPriority() string { return "net/http" }
