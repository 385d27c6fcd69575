// One program for the stacks in Go: HTTP/3, HTTP/2, both at one address, or HTTP/1.1, by the contract in servers/README.md.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

// server is the part that differs between protocols.
type server interface {
	// listen begins to serve at an address, and returns the port bound.
	listen(at listener, handler http.Handler) (port int, err error)
	// details adds entries to the ready line once it listens.
	details(details map[string]string, host, address string)
}

func main() {
	if slices.Equal(os.Args[1:], []string{"--versions"}) {
		printLine(map[string]string{"go": goVersion(), "quic-go": versionOf(quicModule)})
		return
	}
	stopOnRequest()
	if err := serve(os.Args[1:]); err != nil {
		fail(err)
	}
	select {}
}

// serve listens at all addresses, and prints the ready line.
func serve(words []string) error {
	options, err := readArguments(words)
	if err != nil {
		return err
	}
	site, err := openSite(options.site)
	if err != nil {
		return err
	}
	handler := releasingMemory(&recordedSite{
		folder:     options.site,
		replay:     newReplay(site, options.subResources),
		thinks:     options.think == "recorded",
		pieceBytes: options.pieceBytes(),
	})
	server := newServer(options)
	origins := map[string]string{}
	for _, at := range options.listeners {
		port, err := server.listen(at, handler)
		if err != nil {
			return fmt.Errorf("cannot listen on %s for %s: %w", at.address(), strings.Join(at.hosts, ", "), err)
		}
		for _, host := range at.hosts {
			origins[host] = net.JoinHostPort(at.ip, fmt.Sprint(port))
		}
	}
	details := map[string]string{"program": "Go " + goVersion(), "language": "Go"}
	host := options.listeners[0].hosts[0]
	server.details(details, host, origins[host])
	printLine(map[string]any{
		"ready": true, "stack": options.stack, "protocol": options.protocol, "origins": origins, "details": details,
	})
	return nil
}

func newServer(options arguments) server {
	switch options.protocol {
	case "h3":
		return newQUICServer(options.congestionControl)
	case "h2+h3":
		return dualServer{tcpServer{protocol: "h2"}, newQUICServer(options.congestionControl)}
	}
	return tcpServer{options.protocol, options.byPriority()}
}

// stopOnRequest ends the program on SIGTERM, and when its stdin closes because its parent is gone.
func stopOnRequest() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	go func() {
		<-signals
		os.Exit(0)
	}()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
}

// fail ends the program with an error.
func fail(err error) {
	complain(err)
	os.Exit(1)
}

func complain(err error) { fmt.Fprintf(os.Stderr, "quic-vs-https-go: %v\n", err) }

// printLine writes a line of JSON at once, so that lines of different requests never mix.
func printLine(value any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fail(err)
	}
}

func goVersion() string {
	info, _ := debug.ReadBuildInfo()
	return strings.TrimPrefix(info.GoVersion, "go")
}

// versionOf returns the version of a module in this program.
func versionOf(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, each := range info.Deps {
		if each.Path == module {
			return strings.TrimPrefix(each.Version, "v")
		}
	}
	return "unknown"
}
