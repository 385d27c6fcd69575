package main

import (
	"net/http"
	"strconv"
)

// dualServer serves HTTP/2 over TCP and HTTP/3 over UDP at the same address and port.
type dualServer struct {
	tcp  tcpServer
	quic quicServer
}

func (of dualServer) listen(at listener, handler http.Handler) (int, error) {
	port, err := of.tcp.listen(at, handler)
	if err != nil {
		return 0, err
	}
	at.port = strconv.Itoa(port)
	return of.quic.listen(at, handler)
}

func (of dualServer) details(details map[string]string, host, address string) {
	of.tcp.details(details, host, address)
	overTCP := details["library"]
	of.quic.details(details, host, address)
	details["library"] = overTCP + ", " + details["library"]
}
