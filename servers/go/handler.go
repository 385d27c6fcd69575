package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// recordedSite answers requests from a site's folder.
type recordedSite struct {
	folder string
	replay *replay
	thinks bool
	// Size of the pieces of a body; 0: that of Go.
	pieceBytes int64
}

// accessLogLine is the contract's line about a request.
type accessLogLine struct {
	Host     string `json:"host"`
	Method   string `json:"method"`
	Path     string `json:"path"`
	Status   int    `json:"status"`
	Bytes    int64  `json:"bytes"`
	Received int64  `json:"received"`
	Match    string `json:"match"`
	Recorded string `json:"recorded,omitempty"`
}

// ServeHTTP reads a request to its end, and sends its reply.
func (of *recordedSite) ServeHTTP(response http.ResponseWriter, req *http.Request) {
	received, err := io.Copy(io.Discard, req.Body)
	if err != nil {
		return // The client no longer waits for an answer.
	}
	reply := of.replay.reply(requestOf(req), time.Now())
	if of.thinks && !waitFor(req.Context(), reply.wait) {
		return
	}
	body, err := of.open(reply)
	if err != nil {
		complain(fmt.Errorf("body of %s: %w", reply.resource.URL, err))
		reply = failed(req.Method, time.Now())
	} else if body != nil {
		defer body.Close()
	}
	log(req, reply, received)
	setHeaders(response.Header(), reply.headers)
	response.WriteHeader(reply.status)
	if reply.body.bytes == 0 {
		return
	}
	if err := of.send(response, body, reply.body.bytes); err != nil {
		// The length was sent already: a truncated body must not look complete.
		panic(http.ErrAbortHandler)
	}
}

// send copies a body in pieces.
func (of *recordedSite) send(response io.Writer, body io.Reader, bytes int64) error {
	if of.pieceBytes == 0 {
		_, err := io.CopyN(response, body, bytes)
		return err
	}
	pieces := bufio.NewWriterSize(response, int(min(of.pieceBytes, bytes)))
	if _, err := io.CopyN(pieces, body, bytes); err != nil {
		return err
	}
	return pieces.Flush()
}

// requestOf converts a request without decoding its path.
func requestOf(req *http.Request) request {
	header := func(name string) (string, bool) {
		values := req.Header[textproto.CanonicalMIMEHeaderKey(name)]
		separator := ", "
		if name == "cookie" {
			separator = "; "
		}
		return strings.Join(values, separator), len(values) > 0
	}
	return request{req.Method, req.Host, req.RequestURI, header}
}

// waitFor waits unless the client goes.
func waitFor(ctx context.Context, wait time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(wait):
		return true
	}
}

// open opens the body's file at the first byte to send; nil: no body is sent.
func (of *recordedSite) open(reply reply) (*os.File, error) {
	if reply.resource == nil || reply.resource.Body == "" || reply.body.bytes == 0 {
		return nil, nil
	}
	// A link could lead out of the folder.
	file, err := os.OpenFile(filepath.Join(of.folder, reply.resource.Body), os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	found, err := file.Stat()
	if err == nil && (!found.Mode().IsRegular() || found.Size() != reply.resource.WireBytes) {
		err = fmt.Errorf("%s has %d bytes where %d were expected", file.Name(), found.Size(), reply.resource.WireBytes)
	}
	if err == nil {
		_, err = file.Seek(reply.body.offset, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// setHeaders sets only these fields; fields of one name stay in their order.
func setHeaders(headers http.Header, fields []field) {
	// Without a value Go would guess a type from the body.
	headers["Content-Type"] = nil
	for _, each := range fields {
		name := textproto.CanonicalMIMEHeaderKey(each[0])
		headers[name] = append(headers[name], each[1])
	}
}

func log(req *http.Request, reply reply, received int64) {
	line := accessLogLine{
		Host: req.Host, Method: req.Method, Path: req.RequestURI,
		Status: reply.status, Bytes: reply.body.bytes, Received: received, Match: reply.match,
	}
	if reply.match == "query" {
		line.Recorded = reply.resource.URL
	}
	printLine(line)
}
