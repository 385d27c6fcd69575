package main

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var betweenCookies = regexp.MustCompile(`; *`)

// documentChainOf returns the site's main document, its redirects and its bounces; each of them was recorded.
func documentChainOf(site *manifest) []*resource {
	recorded := map[string]*resource{}
	for index := range site.Resources {
		if each := &site.Resources[index]; each.Method == http.MethodGet {
			recorded[plainURL(each.URL, "")] = each
		}
	}
	var chain []*resource
	var follow func(*resource)
	follow = func(next *resource) {
		for next != nil && !slices.Contains(chain, next) {
			chain = append(chain, next)
			for _, each := range bouncesOf(next) {
				follow(recorded[ledTo(each)])
			}
			// Moves the step behind the redirects that lead back to it.
			at := slices.Index(chain, next)
			chain = append(slices.Delete(chain, at, at+1), next)
			next = recorded[ledTo(next)]
		}
	}
	follow(recorded[plainURL(site.URL, "")])
	return chain
}

// ledTo returns the URL of a redirect; empty: not a redirect.
func ledTo(of *resource) string {
	location, isThere := of.header("location")
	if !isThere || !of.isRedirect() {
		return ""
	}
	return plainURL(of.URL, location)
}

// plainURL resolves and normalizes a URL, so that equal ones have equal texts; empty: not valid.
func plainURL(base, relative string) string {
	from, err := url.Parse(base)
	if err != nil {
		return ""
	}
	to, err := from.Parse(relative)
	if err != nil {
		return ""
	}
	to.Host = strings.TrimSuffix(strings.ToLower(to.Host), ":443")
	to.Fragment, to.RawFragment = "", ""
	if to.Path == "" {
		to.Path = "/"
	}
	return to.String()
}

// bouncesOf returns the bounces of a resource in order, each as a resource that replaces it.
func bouncesOf(of *resource) []*resource {
	var bounces []*resource
	for _, each := range of.Bounces {
		bounces = append(bounces, &resource{
			URL: of.URL, Method: of.Method, Status: each.Status, Headers: each.Headers, WaitMs: each.WaitMs,
		})
	}
	return bounces
}

// answerTo returns the answer of a matched resource: its first bounce whose cookie the request lacks, or the resource.
func answerTo(found *resource, cookies string) *resource {
	carried := betweenCookies.Split(cookies, -1)
	for index, each := range found.Bounces {
		if !slices.ContainsFunc(carried, func(pair string) bool { return strings.HasPrefix(pair, each.Cookie+"=") }) {
			return bouncesOf(found)[index]
		}
	}
	return found
}
