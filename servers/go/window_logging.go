//go:build oldtraces

package main

import (
	"context"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/logging"
)

// trace is called for every connection, by versions of quic-go with the package logging; nil: not traced.
func (of *windowWatch) trace(context.Context, logging.Perspective, quic.ConnectionID) *logging.ConnectionTracer {
	if of.isTaken.Swap(true) {
		return nil
	}
	return &logging.ConnectionTracer{
		UpdatedMetrics: func(_ *logging.RTTStats, window, _ logging.ByteCount, _ int) {
			select {
			case of.bytes <- int(window):
			default: // Only the first window counts.
			}
		},
	}
}
