package main

import (
	"bytes"
	stdlog "log"
	"net"
	"net/http"
	"os"
	"time"
)

// Longer than any page load, so that the server closes no connection during one. Over QUIC the smaller limit of both ends
// counts, and Chromium's is 30 s.
const idleTimeout = 75 * time.Second

// tcpServer serves HTTP/2 or HTTP/1.1 by net/http; TCP runs in the kernel.
type tcpServer struct{ protocol string }

func (of tcpServer) listen(at listener, handler http.Handler) (int, error) {
	socket, err := net.Listen("tcp", at.address())
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
	go func() { fail(server.ServeTLS(socket, "", "")) }()
	return socket.Addr().(*net.TCPAddr).Port, nil
}

func (of tcpServer) details(details map[string]string, _, _ string) {
	details["library"] = "net/http"
}

// withoutHandshakes drops errors of handshakes: browsers open spare connections, and may close them during the handshake.
type withoutHandshakes struct{}

func (withoutHandshakes) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("TLS handshake error")) {
		return len(line), nil
	}
	return os.Stderr.Write(line)
}
