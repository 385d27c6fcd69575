package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"github.com/quic-go/quic-go/qlog"
	"github.com/quic-go/quic-go/qlogwriter"
)

const (
	quicModule = "github.com/quic-go/quic-go"
	// quic-go has nothing else: internal/ackhandler/sent_packet_handler.go asks for it by a constant.
	congestionControl = "reno"
	// Packets begin with so many bytes; congestion windows are counted in them.
	initialPacketBytes = 1280
	windowLimit        = 2 * time.Second
)

// quicServer serves HTTP/3 by quic-go.
type quicServer struct {
	congestionControl string
	window            *windowWatch
}

func newQUICServer(congestionControl string) quicServer {
	// As over TCP on this project's paths, where it is off at both ends.
	os.Setenv("QUIC_GO_DISABLE_ECN", "true")
	// The doctor and every run over QUIC tell of small buffers.
	os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true")
	return quicServer{congestionControl, &windowWatch{bytes: make(chan int, 1)}}
}

func (of quicServer) listen(at listener, handler http.Handler) (int, error) {
	socket, err := net.ListenPacket("udp", at.address())
	if err != nil {
		return 0, err
	}
	server := &http3.Server{
		Handler:   handler,
		TLSConfig: http3.ConfigureTLSConfig(at.tlsConfig(http3.NextProtoH3)),
		QUICConfig: &quic.Config{
			Allow0RTT:         true,
			InitialPacketSize: initialPacketBytes,
			Tracer:            of.window.trace,
		},
	}
	go func() { fail(server.Serve(socket)) }()
	return socket.LocalAddr().(*net.UDPAddr).Port, nil
}

func (of quicServer) details(details map[string]string, host, address string) {
	details["library"] = "quic-go " + versionOf(quicModule)
	details["congestionControl"] = of.congestionControl
	if bytes := of.window.read(host, address); bytes > 0 {
		details["initialWindowPackets"] = strconv.Itoa(bytes / initialPacketBytes)
		details["initialWindowBytes"] = strconv.Itoa(bytes)
	}
}

// windowWatch reads the congestion window that the server gives a new connection, of which no option tells: its first connection is
// traced, and the first that is told of it is what it begins with.
type windowWatch struct {
	isTaken atomic.Bool
	bytes   chan int
}

// trace is asked for a trace of every connection; nil: nobody wants to know.
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
	default: // The first is there already.
	}
}

func (of *windowWatch) Close() error { return nil }

// read connects to the server itself and gives what it gave that connection, in bytes; 0: it did not come about.
func (of *windowWatch) read(host, address string) int {
	ctx, cancel := context.WithTimeout(context.Background(), windowLimit)
	defer cancel()
	to, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return 0
	}
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: to.IP})
	if err != nil {
		return 0
	}
	defer socket.Close()
	client := &quic.Transport{Conn: socket}
	defer client.Close()
	identity := &tls.Config{ServerName: host, NextProtos: []string{http3.NextProtoH3}, InsecureSkipVerify: true}
	connection, err := client.Dial(ctx, to, identity, nil)
	if err != nil {
		return 0
	}
	defer connection.CloseWithError(0, "")
	select {
	case bytes := <-of.bytes:
		return bytes
	case <-ctx.Done():
		return 0
	}
}
