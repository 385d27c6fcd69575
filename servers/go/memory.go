package main

import (
	"net/http"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	betweenChecks = 10 * time.Second
	// Memory kept: more than any page's loads leave.
	keptBytes = 64 << 20
)

// releasingMemory frees memory after many connections. Go itself checks only every two minutes in an idle program.
// It runs when no request is open or arrived since the last check: a load has no such pause.
func releasingMemory(handler http.Handler) http.Handler {
	var open, begun atomic.Int64
	go func() {
		begunBefore := int64(0)
		for range time.Tick(betweenChecks) {
			begunNow := begun.Load()
			if open.Load() == 0 && begunNow == begunBefore && heldBytes() > keptBytes {
				debug.FreeOSMemory()
			}
			begunBefore = begunNow
		}
	}()
	return http.HandlerFunc(func(response http.ResponseWriter, received *http.Request) {
		begun.Add(1)
		open.Add(1)
		defer open.Add(-1)
		handler.ServeHTTP(response, received)
	})
}

// heldBytes is the program's share of the system's memory.
func heldBytes() uint64 {
	sizes := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sizes)
	return sizes[0].Value.Uint64() - sizes[1].Value.Uint64()
}
