package main

import "strings"

// matcher finds the answer to a request, by the rules "Matching" in servers/README.md.
type matcher struct {
	exact map[string]*resource
	// By method and URL without query; empty if only exact matches are allowed.
	samePath map[string][]candidate
}

// candidate is a resource that may answer a request with another query.
type candidate struct {
	resource   *resource
	parameters parameters
}

// parameters are the parts of a query between `&`, not decoded.
type parameters struct{ pairs, names []string }

func newMatcher(resources []*resource, guesses bool) matcher {
	made := matcher{map[string]*resource{}, map[string][]candidate{}}
	for _, each := range resources {
		key := each.Method + " " + each.URL
		made.exact[key] = each
		if place, query, _ := strings.Cut(key, "?"); guesses {
			made.samePath[place] = append(made.samePath[place], candidate{each, parametersOf(query)})
		}
	}
	return made
}

// find returns how a request was matched (`exact`, `query` or `none`), and its resource.
func (of matcher) find(method, host, path string) (match string, found *resource) {
	key := method + " https://" + host + path
	if known := of.exact[key]; known != nil {
		return "exact", known
	}
	place, query, _ := strings.Cut(key, "?")
	requested := parametersOf(query)
	var best likeness
	for _, each := range of.samePath[place] {
		if leadsTo(each.resource, host, path) {
			continue
		}
		// The first of several equally similar ones.
		if alike := likenessOf(requested, each.parameters); found == nil || alike.isGreater(best) {
			found, best = each.resource, alike
		}
	}
	if found == nil {
		return "none", nil
	}
	return "query", found
}

func parametersOf(query string) parameters {
	var of parameters
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, _, _ := strings.Cut(pair, "=")
		of.pairs = append(of.pairs, pair)
		of.names = append(of.names, name)
	}
	return of
}

// leadsTo reports whether a redirect leads to the requested URL itself: a loop.
func leadsTo(of *resource, host, path string) bool {
	if !of.isRedirect() {
		return false
	}
	for _, each := range of.Headers {
		if each[0] != "location" {
			continue
		}
		if each[1] == path || each[1] == "//"+host+path || each[1] == "https://"+host+path {
			return true
		}
	}
	return false
}

// likeness has the criteria by priority; larger is more similar.
type likeness [3]int

func likenessOf(requested, recorded parameters) likeness {
	equalNames := inCommon(requested.names, recorded.names)
	unlike := len(requested.names) + len(recorded.names) - 2*equalNames
	return likeness{inCommon(requested.pairs, recorded.pairs), equalNames, -unlike}
}

func (left likeness) isGreater(right likeness) bool {
	for at := range left {
		if left[at] != right[at] {
			return left[at] > right[at]
		}
	}
	return false
}

// inCommon counts the elements that both lists have, with repetitions.
func inCommon(left, right []string) int {
	remaining := map[string]int{}
	for _, each := range right {
		remaining[each]++
	}
	count := 0
	for _, each := range left {
		if remaining[each] > 0 {
			remaining[each]--
			count++
		}
	}
	return count
}
