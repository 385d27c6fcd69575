package main

import "strings"

// matcher finds what answers a request, by the rules "Matching" in servers/README.md.
type matcher struct {
	exact map[string]*resource
	// By method and URL without query; empty where nothing is guessed.
	samePath map[string][]candidate
}

// candidate is a resource that may answer a request with another query.
type candidate struct {
	resource   *resource
	parameters parameters
}

// parameters are a query taken apart at each `&`, nothing decoded.
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

// find gives how a request was matched (`exact`, `query` or `none`), and with which resource.
func (of matcher) find(method, host, path string) (match string, found *resource) {
	key := method + " https://" + host + path
	if known := of.exact[key]; known != nil {
		return "exact", known
	}
	place, query, _ := strings.Cut(key, "?")
	asked := parametersOf(query)
	var best likeness
	for _, each := range of.samePath[place] {
		if leadsTo(each.resource, host, path) {
			continue
		}
		// The first of several that are as much alike.
		if alike := likenessOf(asked, each.parameters); found == nil || alike.isGreater(best) {
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

// leadsTo says whether a redirect leads to the very URL that was asked for: round in a circle.
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

// likeness has what counts first in the first place; more is more alike.
type likeness [3]int

func likenessOf(asked, recorded parameters) likeness {
	equalNames := inCommon(asked.names, recorded.names)
	unlike := len(asked.names) + len(recorded.names) - 2*equalNames
	return likeness{inCommon(asked.pairs, recorded.pairs), equalNames, -unlike}
}

func (left likeness) isGreater(right likeness) bool {
	for at := range left {
		if left[at] != right[at] {
			return left[at] > right[at]
		}
	}
	return false
}

// inCommon counts those of one list that stand in the other too, each as often as it stands in both.
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
