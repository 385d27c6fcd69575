package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// arguments are those of the contract, and the stack.
type arguments struct {
	stack, protocol   string
	site              string
	think             string
	subResources      string
	keyExchange       string
	congestionControl string
	responseOrder     string
	listeners         []listener
}

func (of arguments) byPriority() bool { return of.responseOrder == "by-priority" }

// pieceBytes is larger by priority: while a body has no piece ready, the connection sends those of less urgent ones.
func (of arguments) pieceBytes() int64 {
	if of.byPriority() {
		return 1 << 20
	}
	return 0
}

// listener is an address with the hosts that share it, and their certificate.
type listener struct {
	hosts    []string
	ip, port string
	// Certificate as PEM.
	chain       []byte
	certificate tls.Certificate
	group       tls.CurveID
}

func (at listener) address() string { return net.JoinHostPort(at.ip, at.port) }

// groups are the key exchanges; by default Go chooses x25519mlkem768 if the client offers it.
var groups = map[string]tls.CurveID{"x25519": tls.X25519, "x25519mlkem768": tls.X25519MLKEM768}

// tlsConfig sets the protocol and the key exchange.
func (at listener) tlsConfig(protocol string) *tls.Config {
	return &tls.Config{
		Certificates:     []tls.Certificate{at.certificate},
		CurvePreferences: []tls.CurveID{at.group},
		NextProtos:       []string{protocol},
	}
}

var listenPattern = regexp.MustCompile(`^([^=]+)=([^:]+):([0-9]+)$`)

func readArguments(words []string) (arguments, error) {
	var options arguments
	var certs string
	var listens []string
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&options.stack, "stack", "", "name in the ready line")
	oneOf(flags, &options.protocol, "protocol", "", "h3", "h2", "h2+h3", "http/1.1")
	flags.StringVar(&options.site, "site", "", "folder of the site")
	flags.StringVar(&certs, "certs", "", "folder of certificates and keys")
	oneOf(flags, &options.think, "think", "off", "off", "recorded")
	oneOf(flags, &options.subResources, "sub-resources", "served", "served", "missing")
	oneOf(flags, &options.keyExchange, "key-exchange", "x25519", "x25519", "x25519mlkem768")
	oneOf(flags, &options.congestionControl, "cc", congestionControl, congestionControl)
	oneOf(flags, &options.responseOrder, "response-order", "usual", "by-priority")
	flags.Func("listen", "HOST=IP:PORT", func(text string) error {
		listens = append(listens, text)
		return nil
	})
	if err := flags.Parse(words); err != nil {
		return options, err
	}
	if options.stack == "" || options.protocol == "" || options.site == "" || certs == "" || len(listens) == 0 {
		return options, errors.New("--stack, --protocol, --site, --certs and --listen are needed")
	}
	var err error
	options.listeners, err = listenersOf(listens, certs, groups[options.keyExchange])
	return options, err
}

// oneOf defines an argument with a list of allowed words.
func oneOf(flags *flag.FlagSet, value *string, name, usual string, words ...string) {
	*value = usual
	flags.Func(name, strings.Join(words, ", "), func(text string) error {
		if !slices.Contains(words, text) {
			return fmt.Errorf("--%s %s: expected %s", name, text, strings.Join(words, " or "))
		}
		*value = text
		return nil
	})
}

// listenersOf returns one per address: hosts with the same address share it, except with port 0, which stands for any free port.
func listenersOf(texts []string, certs string, group tls.CurveID) ([]listener, error) {
	var listeners []listener
	for _, text := range texts {
		found := listenPattern.FindStringSubmatch(text)
		if found == nil {
			return nil, fmt.Errorf("--listen %s: expected HOST=IP:PORT", text)
		}
		host, ip, port := found[1], found[2], found[3]
		chain, err := os.ReadFile(filepath.Join(certs, host+".pem"))
		if err != nil {
			return nil, err
		}
		shared := slices.IndexFunc(listeners, func(each listener) bool {
			return port != "0" && each.ip == ip && each.port == port
		})
		if shared < 0 {
			certificate, err := tls.LoadX509KeyPair(filepath.Join(certs, host+".pem"), filepath.Join(certs, host+".key"))
			if err != nil {
				return nil, fmt.Errorf("certificate of %s in %s: %w", host, certs, err)
			}
			listeners = append(listeners, listener{[]string{host}, ip, port, chain, certificate, group})
			continue
		}
		with := &listeners[shared]
		if !bytes.Equal(chain, with.chain) {
			return nil, fmt.Errorf(
				"--listen %s: shares its address with %s, so %s.pem has to be the same as %s.pem in %s",
				text, with.hosts[0], host, with.hosts[0], certs)
		}
		with.hosts = append(with.hosts, host)
	}
	return listeners, nil
}
