package main

import (
	"regexp"
	"strings"
	"time"
)

// datePattern has spaces in the date as in HTTP, or hyphens as in many cookies.
var datePattern = regexp.MustCompile(
	`^[A-Za-z]{3,9}, [0-9]{2}(?: [A-Z][a-z]{2} |-[A-Z][a-z]{2}-)[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$`)

var cookieExpiry = regexp.MustCompile(`(?i)(;[ \t]*expires=)([^;]*)`)

const (
	dateLayout       = "02 Jan 2006 15:04:05 GMT"
	hyphenatedLayout = "02-Jan-2006 15:04:05 GMT"
	// Later years do not fit in four digits, and two-digit years are not valid HTTP.
	firstYear, lastYear = 100, 9999
)

// readHTTPDate returns the time of an HTTP date and its format; ok: it is a valid date.
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

// laterDate shifts a date in its own format; invalid dates, and dates shifted beyond the year 9999, stay unchanged.
func laterDate(text string, by time.Duration) string {
	at, layout, ok := readHTTPDate(text)
	if later := at.Add(by); ok && later.Year() <= lastYear {
		return httpDate(later, layout)
	}
	return text
}

// shiftedHeaders moves dates by the time since the recording; nil: the recording's time is unknown.
func shiftedHeaders(headers []field, recordedAt *time.Time, now time.Time) []field {
	if recordedAt == nil || !now.After(*recordedAt) {
		return headers
	}
	by := now.Sub(*recordedAt)
	// A date before the recording stays in the past: sites use old dates for "never".
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
