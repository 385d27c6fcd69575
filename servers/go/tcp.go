package main

import (
	"bytes"
	"context"
	"errors"
	stdlog "log"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"
)

// Longer than any page load, so that the server closes no connection during one. Over QUIC the smaller limit of both ends
// counts, and Chromium's is 30 s.
const idleTimeout = 75 * time.Second

const (
	// TCP_NOTSENT_LOWAT of Linux.
	tcpNotSentLowAt = 25
	// One TLS record.
	mostUnsentBytes = 16 << 10
)

// tcpServer serves HTTP/2 or HTTP/1.1 by net/http; TCP runs in the kernel.
type tcpServer struct {
	protocol   string
	byPriority bool
}

func (of tcpServer) listen(at listener, handler http.Handler) (int, error) {
	socket, err := of.listening().Listen(context.Background(), "tcp", at.address())
	if err != nil {
		return 0, err
	}
	var protocols http.Protocols
	protocols.SetHTTP1(of.protocol == "http/1.1")
	protocols.SetHTTP2(of.protocol == "h2")
	server := &http.Server{
		Handler:                      handler,
		DisableGeneralOptionsHandler: true,
		TLSConfig:                    at.tlsConfig(of.protocol),
		Protocols:                    &protocols,
		IdleTimeout:                  idleTimeout,
		ErrorLog:                     stdlog.New(withoutHandshakes{}, "", 0),
	}
	if err := setResponseOrder(server, of.byPriority); err != nil {
		return 0, err
	}
	go func() { fail(server.ServeTLS(socket, "", "")) }()
	return socket.Addr().(*net.TCPAddr).Port, nil
}

// listening limits what the kernel holds unsent, as that is sent in any order. Accepted connections inherit it.
func (of tcpServer) listening() *net.ListenConfig {
	var config net.ListenConfig
	if of.byPriority {
		// Sockets of multipath TCP, Go's default, do not pass it on.
		config.SetMultipathTCP(false)
		config.Control = func(_, _ string, connection syscall.RawConn) error {
			var failure error
			err := connection.Control(func(socket uintptr) {
				failure = syscall.SetsockoptInt(int(socket), syscall.IPPROTO_TCP, tcpNotSentLowAt, mostUnsentBytes)
			})
			return errors.Join(err, failure)
		}
	}
	return &config
}

func (of tcpServer) details(details map[string]string, _, _ string) {
	details["library"] = "net/http"
	if of.byPriority {
		details["library"] = libraryByPriority()
	}
}

// withoutHandshakes drops errors of handshakes: browsers open spare connections, and may close them during the handshake.
type withoutHandshakes struct{}

func (withoutHandshakes) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("TLS handshake error")) {
		return len(line), nil
	}
	return os.Stderr.Write(line)
}
