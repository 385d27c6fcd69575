package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

const cacheFormatVersion = 1

var plainBodyFile = regexp.MustCompile(`^bodies/[A-Za-z0-9][A-Za-z0-9._-]*$`)

// manifest is the part of a site's index.json that answers need; cache/README.md has the format.
type manifest struct {
	FormatVersion int        `json:"formatVersion"`
	URL           string     `json:"url"`
	RecordedAt    *time.Time `json:"recordedAt"`
	Resources     []resource `json:"resources"`
}

// resource is one recorded response.
type resource struct {
	URL       string   `json:"url"`
	Method    string   `json:"method"`
	Status    int      `json:"status"`
	Headers   []field  `json:"headers"`
	Body      string   `json:"body"`
	WireBytes int64    `json:"wireBytes"`
	WaitMs    float64  `json:"waitMs"`
	Bounces   []bounce `json:"bounces"`
}

// field is a header field: its name in lower case, and its value.
type field [2]string

// bounce is a redirect that is sent until a request has a cookie.
type bounce struct {
	Cookie  string  `json:"cookie"`
	Status  int     `json:"status"`
	Headers []field `json:"headers"`
	WaitMs  float64 `json:"waitMs"`
}

// header returns the first recorded field of a name.
func (of *resource) header(name string) (value string, isThere bool) {
	for _, each := range of.Headers {
		if each[0] == name {
			return each[1], true
		}
	}
	return "", false
}

func (of *resource) isRedirect() bool { return of.Status >= 300 && of.Status <= 399 }

// openSite reads a site's manifest; errors name the file.
func openSite(folder string) (*manifest, error) {
	file := filepath.Join(folder, "index.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var site manifest
	if err := json.Unmarshal(text, &site); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if site.FormatVersion != cacheFormatVersion {
		return nil, fmt.Errorf("%s: not a site manifest of format version %d", file, cacheFormatVersion)
	}
	bodies := filepath.Join(folder, "bodies")
	if found, err := os.Lstat(bodies); err == nil && found.Mode()&os.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link, and bodies are never read through one", bodies)
	}
	for _, each := range site.Resources {
		if each.Body != "" && !plainBodyFile.MatchString(each.Body) {
			return nil, fmt.Errorf("%s: body %s is not a plain file name in bodies/", file, each.Body)
		}
		// Browsers request such paths, but Go's libraries answer them with 400.
		if _, err := url.Parse(each.URL); err != nil {
			return nil, fmt.Errorf("%s: this stack cannot serve the URL: %w", file, err)
		}
	}
	return &site, nil
}
