package main

import (
	"regexp"
	"strings"
	"time"
)

// datePattern has a space between day, month and year as HTTP has it, or a hyphen as many cookies do.
var datePattern = regexp.MustCompile(
	`^[A-Za-z]{3,9}, [0-9]{2}(?: [A-Z][a-z]{2} |-[A-Z][a-z]{2}-)[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$`)

var cookieExpiry = regexp.MustCompile(`(?i)(;[ \t]*expires=)([^;]*)`)

const (
	dateLayout       = "02 Jan 2006 15:04:05 GMT"
	hyphenatedLayout = "02-Jan-2006 15:04:05 GMT"
	// What comes later has no place in four digits, and years of two digits are no HTTP.
	firstYear, lastYear = 100, 9999
)

// readHTTPDate gives the moment that an HTTP date names, and the form that it has; ok: it is one.
func readHTTPDate(text string) (at time.Time, layout string, ok bool) {
	if !datePattern.MatchString(text) {
		return at, "", false
	}
	_, date, _ := strings.Cut(text, ", ")
	layout = dateLayout
	if date[2] == '-' {
		layout = hyphenatedLayout
	}
	at, err := time.Parse(layout, date)
	return at, layout, err == nil && at.Year() >= firstYear
}

func httpDate(at time.Time, layout string) string {
	return at.UTC().Format("Mon, " + layout)
}

// laterDate gives the date so much later in the form it has; a text that is no date, or would pass the year 9999, stays as it is.
func laterDate(text string, by time.Duration) string {
	at, layout, ok := readHTTPDate(text)
	if later := at.Add(by); ok && later.Year() <= lastYear {
		return httpDate(later, layout)
	}
	return text
}

// shiftedHeaders gives recorded headers with dates as far from now as they were from the recording; nil: nobody knows when that was.
func shiftedHeaders(headers []field, recordedAt *time.Time, now time.Time) []field {
	if recordedAt == nil || !now.After(*recordedAt) {
		return headers
	}
	by := now.Sub(*recordedAt)
	// What was over when the page was recorded stays over: sites say "never" with a date long gone.
	laterIfAhead := func(text string) string {
		if at, _, ok := readHTTPDate(text); ok && at.After(*recordedAt) {
			return laterDate(text, by)
		}
		return text
	}
	shifted := make([]field, len(headers))
	for index, each := range headers {
		name, value := each[0], each[1]
		switch name {
		case "expires":
			value = laterIfAhead(value)
		case "last-modified":
			value = laterDate(value, by)
		case "set-cookie":
			value = cookieExpiry.ReplaceAllStringFunc(value, func(expiry string) string {
				found := cookieExpiry.FindStringSubmatch(expiry)
				return found[1] + laterIfAhead(found[2])
			})
		}
		shifted[index] = field{name, value}
	}
	return shifted
}
