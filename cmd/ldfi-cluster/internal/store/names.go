package store

import (
	"strings"

	"github.com/lineage-driven/ldfi/internal/work"
)

// The names of streams and buckets.
const (
	unitsStream = "LDFI-UNITS"
	filesBucket = "ldfi-files"
	jobsBucket  = "ldfi-jobs"
	liarsBucket = "ldfi-liars"

	resultsStream  = "KV_ldfi-results" // a bucket, and as such a stream
	failuresStream = "KV_ldfi-failures"
)

// The beginnings of subjects.
const (
	unitSubject    = "ldfi.unit."
	resultSubject  = "$KV.ldfi-results."
	failureSubject = "$KV.ldfi-failures."
)

// Token stands for a build, or whatever else has a name of any form, in subjects.
func Token(name string) string { return work.Digest([]byte(name))[:16] }

// platform stands for where a unit can be done.
func platform(name string) string {
	if name == "" {
		return "any"
	}
	return Token(name)
}

// Place is which unit of whom is meant.
type Place struct{ Build, Platform, Job, Address string }

// PlaceOf is the place of a unit of a job.
func PlaceOf(u *work.Unit, address, job string) Place {
	return Place{Build: Token(u.Build), Platform: platform(u.Platform), Job: job, Address: address}
}

// subject is the subject of the unit.
func (p Place) subject() string {
	return unitSubject + p.Build + "." + p.Platform + "." + p.Job + "." + p.Address
}

// placeAt reads the subject of a unit.
func placeAt(subject string) (Place, bool) {
	tokens := strings.Split(strings.TrimPrefix(subject, unitSubject), ".")
	if len(tokens) != 4 {
		return Place{}, false
	}
	return Place{tokens[0], tokens[1], tokens[2], tokens[3]}, true
}

// resultKey is the subject of a result.
func (p Place) resultKey(r *work.Result) string {
	state := "partial."
	if r.Final {
		state = "final."
	}
	return resultSubject + state + p.Build + "." + p.Address + "." + p.Job + "." + Token(r.Worker)
}

// resultAt reads the subject of a result: of which unit it is, and the token of the worker.
func resultAt(subject string) (address, worker string, ok bool) {
	tokens := strings.Split(strings.TrimPrefix(subject, resultSubject), ".")
	if len(tokens) != 5 {
		return "", "", false
	}
	return tokens[2], tokens[4], true
}
