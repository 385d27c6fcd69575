package main

import (
	"net/http"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

const (
	betweenLooks = 10 * time.Second
	// More than the loads of any page leave behind.
	keptBytes = 64 << 20
)

// releasingMemory gives back what connections leave behind that were many at a time. By itself Go looks every two minutes while a
// program has nothing to do. It is done when nothing was asked for since the last look and no request is open: a load has no such pause.
func releasingMemory(handler http.Handler) http.Handler {
	var open, begun atomic.Int64
	go func() {
		begunBefore := int64(0)
		for range time.Tick(betweenLooks) {
			begunNow := begun.Load()
			if open.Load() == 0 && begunNow == begunBefore && heldBytes() > keptBytes {
				debug.FreeOSMemory()
			}
			begunBefore = begunNow
		}
	}()
	return http.HandlerFunc(func(response http.ResponseWriter, asked *http.Request) {
		begun.Add(1)
		open.Add(1)
		defer open.Add(-1)
		handler.ServeHTTP(response, asked)
	})
}

// heldBytes is what the program has of the system's memory.
func heldBytes() uint64 {
	sizes := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sizes)
	return sizes[0].Value.Uint64() - sizes[1].Value.Uint64()
}
