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
)

const (
	quicModule = "github.com/quic-go/quic-go"
	// The only one of quic-go, a constant in internal/ackhandler/sent_packet_handler.go.
	congestionControl = "reno"
	// Initial packet size; congestion windows are counted in packets.
	initialPacketBytes = 1280
	windowLimit        = 2 * time.Second
)

type quicServer struct {
	congestionControl string
	window            *windowWatch
}

func newQUICServer(congestionControl string) quicServer {
	// ECN is off over TCP too, at both ends of this project's paths.
	os.Setenv("QUIC_GO_DISABLE_ECN", "true")
	// `npm run doctor` and every run over QUIC report small buffers themselves.
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

// windowWatch reads the initial congestion window, which no API reports: it traces the server's first connection,
// whose first reported window is the initial one.
type windowWatch struct {
	isTaken atomic.Bool
	bytes   chan int
}

// read connects to the server itself and returns the window of that connection, in bytes; 0: no connection.
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
