package suite

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/answertext"
	"github.com/lineage-driven/ldfi/internal/text"
	"github.com/lineage-driven/ldfi/internal/work"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteSARIF writes the report in the Static Analysis Results Interchange Format 2.1.0
// (OASIS, errata 01). The version is that of ldfi.
//
// There is one result for each property that is violated, with its execution as the code
// flow. An unexpected violation is an error; an expected one is a note, and suppressed. A
// case that is inconclusive, or that differs although nothing is violated, is a warning at
// its place in the suite. Cases that could not be asked are notifications, and make the
// invocation unsuccessful. Fingerprints are those of case and property: they stay when
// lines move, and when another schedule is found.
func (r *Report) WriteSARIF(w io.Writer, version string) error {
	if err := text.WriteJSON(w, sarifOf(r, version)); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// mostSteps is the number of steps of a code flow that are written.
const mostSteps = 500

// object is a part of the format, with the names of its fields. The tests check the output
// against the schema of the format.
type object = map[string]any

// sarifRun is a run in the making.
type sarifRun struct{ rules, results, notifications []object }

// sarifOf is the log of a report.
func sarifOf(r *Report, version string) object {
	run := &sarifRun{rules: []object{}, results: []object{}, notifications: []object{}}
	for _, warning := range r.Warnings {
		run.notify("warning", warning)
	}
	if note := r.byHosts(); note != "" {
		run.notify("note", note)
	}
	for i := range r.Cases {
		run.add(&r.Cases[i])
	}
	driver := object{"name": "ldfi", "informationUri": "https://github.com/lineage-driven/ldfi", "rules": run.rules}
	if number := numeric(version); number != "" {
		driver["version"] = number
	}
	return object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":               object{"driver": driver},
			"automationDetails":  object{"id": r.automation()},
			"invocations":        []object{{"executionSuccessful": r.Count(Error) == 0, "toolExecutionNotifications": run.notifications}},
			"originalUriBaseIds": object{"SRCROOT": object{"description": sarifText("the directory in which ldfi was run")}},
			"results":            run.results,
		}},
	}
}

// numeric returns a version in the form that consumers of the format compare: starting with
// a number. It returns "" for other versions.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return ""
	}
	return version
}

// automation names the kind of run: results replace those of an earlier run of the same
// part of the same suite, and no others.
func (r *Report) automation() string {
	id := "ldfi/" + filepath.ToSlash(r.Suite) + "/"
	if r.Shard != "" {
		id += strings.ReplaceAll(r.Shard, "/", "-") + "/"
	}
	return text.Safe(id)
}

// add adds the result of a case.
func (run *sarifRun) add(c *CaseResult) {
	if c.Answer == nil {
		run.notify("error", c.Name+": "+c.headline(), c.location())
		return
	}
	for _, warning := range c.warnings() {
		run.notify("warning", c.Name+": "+warning, c.location())
	}
	properties := c.properties()
	for _, v := range properties {
		run.violated(c, v)
	}
	if len(properties) == 0 && c.Outcome != Pass {
		run.differs(c)
	}
}

func (run *sarifRun) notify(level, message string, at ...object) {
	run.notifications = append(run.notifications, object{"level": level, "message": sarifText(message), "locations": append([]object{}, at...)})
}

// violated adds the result for one property.
func (run *sarifRun) violated(c *CaseResult, v result.Violation) {
	result := object{
		"level":               "warning",
		"message":             sarifText(c.violationText(v)),
		"locations":           []object{c.location()},
		"partialFingerprints": fingerprints(c.Name, v.Property),
		"codeFlows":           c.codeFlows(v),
	}
	if v.File != "" {
		result["locations"] = []object{location(v.Position)}
		result["relatedLocations"] = []object{noted(c.location(), "the case in the suite")}
	}
	switch c.Outcome {
	case Fail:
		result["level"] = "error"
	case Pass:
		result["level"] = "note"
		result["suppressions"] = []object{{"kind": "external", "status": "accepted", "justification": "the suite expects the verdict violated"}}
	}
	run.result(result, c.Name+"/"+v.Property, c.Name+": "+v.Property,
		fmt.Sprintf("No schedule within the bounds breaks the promise %s of the case %s: %s.", v.Property, c.Name, c.bounds()),
		"The code flow is an execution that broke the promise: the faults, and the messages that arrive or are lost, round by round. The message of the result ends with the command that executes it again.")
}

// differs adds the result for a case that is not as expected although nothing is
// violated.
func (run *sarifRun) differs(c *CaseResult) {
	result := object{
		"level": "warning", "message": sarifText(fmt.Sprintf("%s: %s.", c.Name, c.headline())),
		"locations": []object{c.location()}, "partialFingerprints": fingerprints(c.Name, ""),
	}
	if c.Outcome == Inconclusive {
		run.result(result, c.Name+"/decided", c.Name+": decided",
			fmt.Sprintf("The search for the case %s comes to its end.", c.Name),
			"Give the case or the suite a larger budget, or the case smaller bounds.")
		return
	}
	run.result(result, c.Name+"/expected", c.Name+": as expected",
		fmt.Sprintf("The answer to the case %s is the one that the suite expects.", c.Name),
		"If the change is meant, ldfi check --update writes what is found into the suite.")
}

// result adds a result, and its rule if it is a new one.
func (run *sarifRun) result(result object, rule, short, full, help string) {
	rule = text.Safe(rule)
	index := slices.IndexFunc(run.rules, func(r object) bool { return r["id"] == rule })
	if index < 0 {
		index = len(run.rules)
		run.rules = append(run.rules, object{
			"id": rule, "shortDescription": sarifText(short), "fullDescription": sarifText(full), "help": sarifText(help),
			"defaultConfiguration": object{"level": result["level"]},
		})
	}
	result["ruleId"], result["ruleIndex"] = rule, index
	run.results = append(run.results, result)
}

// fingerprints stay the same as long as case and property keep their names. GitHub
// recognises a result by the second one.
func fingerprints(name, property string) map[string]string {
	id := work.Digest([]byte(name + "\x00" + property))
	return map[string]string{"ldfiCaseAndProperty/v1": id, "primaryLocationLineHash": id[:16] + ":1"}
}

// violationText describes a violation, its faults and its causes.
func (c *CaseResult) violationText(v result.Violation) string {
	head := text.Safe(v.Text)
	if c.told(v) {
		head = text.Safe(c.Differs)
	} else if c.Differs != "" {
		head += ".\n" + text.Safe(c.Differs)
	}
	out := fmt.Sprintf("%s: %s.\nFaults: %s (%s).", text.Safe(c.Name), head, answertext.Schedule(c.broken().Schedule), c.broken().Minimality())
	if len(c.broken().Because) > 0 {
		out += "\nBecause: " + strings.Join(text.SafeEach(c.broken().Because), "\n")
	}
	if len(v.Conflict) > 0 {
		out += "\nConflict:\n" + strings.Join(text.SafeEach(v.Conflict), "\n")
	}
	if c.Again != "" {
		out += "\nAgain: " + c.Again
	}
	return out
}

// codeFlows returns the execution that breaks the property, up to the violation.
func (c *CaseResult) codeFlows(v result.Violation) []object {
	e := c.broken().Execution
	if e == nil {
		return []object{}
	}
	var steps []object
	step := func(at object, round int, importance, message string) {
		at = noted(at, fmt.Sprintf("round %d: %s", round, message))
		steps = append(steps, object{"location": at, "executionOrder": len(steps) + 1, "importance": importance})
	}
	story := diagram.Events(e)
	for _, event := range story[:min(len(story), mostSteps)] {
		importance := "important"
		if event.Fault {
			importance = "essential"
		}
		step(c.sender(event.Relation), event.Round, importance, event.Text)
	}
	if more := len(story) - mostSteps; more > 0 {
		step(c.location(), e.Bounds.EOT, "unimportant", fmt.Sprintf("%d more steps are left out", more))
	}
	end := c.location()
	if v.File != "" {
		end = location(v.Position)
	}
	step(end, e.Bounds.EOT, "essential", v.Text)
	return []object{{"message": sarifText("the execution under: " + answertext.Schedule(c.broken().Schedule)), "threadFlows": []object{{"locations": steps}}}}
}

// sender is where messages of a relation come from, if that is known; else the
// case.
func (c *CaseResult) sender(relation string) object {
	for _, s := range c.broken().Senders {
		if s.Relation == relation {
			return location(s.Position)
		}
	}
	return c.location()
}

// location is the place of the case in the suite.
func (c *CaseResult) location() object { return location(c.Position) }

func location(p specs.Position) object {
	place := object{"artifactLocation": artifact(p.File)}
	if p.Line > 0 {
		region := object{"startLine": p.Line}
		if p.Column > 0 {
			region["startColumn"] = p.Column
		}
		place["region"] = region
	}
	return object{"physicalLocation": place}
}

// noted is a location with a message.
func noted(location object, message string) object {
	location["message"] = sarifText(message)
	return location
}

// artifact names a file: from the directory in which ldfi was run, if its name
// is relative.
func artifact(file string) object {
	path := (&url.URL{Path: filepath.ToSlash(file)}).String()
	if filepath.IsAbs(file) {
		return object{"uri": "file://" + path}
	}
	return object{"uri": path, "uriBaseId": "SRCROOT"}
}

// text is a message in plain text. Braces and brackets would be placeholders and
// links.
func sarifText(message string) object {
	return object{"text": sarifEscapes.Replace(text.SafeLines(message))}
}

var sarifEscapes = strings.NewReplacer("{", "{{", "}", "}}", "[", `\[`, "]", `\]`)
