//go:build !oldtraces

package main

import (
	"context"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

// trace is called for every connection; nil: not traced.
func (of *windowWatch) trace(context.Context, bool, quic.ConnectionID) qlogwriter.Trace {
	if of.isTaken.Swap(true) {
		return nil
	}
	return of
}

func (of *windowWatch) AddProducer() qlogwriter.Recorder { return of }

func (of *windowWatch) RecordEvent(event qlogwriter.Event) {
	metrics, ok := event.(qlog.MetricsUpdated)
	if !ok || metrics.CongestionWindow == 0 {
		return
	}
	select {
	case of.bytes <- metrics.CongestionWindow:
	default: // Only the first window counts.
	}
}

func (of *windowWatch) Close() error { return nil }

// SupportsSchemas is a part of the interface in some versions of quic-go.
func (of *windowWatch) SupportsSchemas(string) bool { return true }
