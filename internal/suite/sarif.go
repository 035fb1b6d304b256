package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lineage-driven/ldfi/internal/subject"
	"github.com/lineage-driven/ldfi/ldfi/result"
	"github.com/lineage-driven/ldfi/rounds/diagram"
	"github.com/lineage-driven/ldfi/specs"
)

// WriteSARIF writes the report in the Static Analysis Results Interchange Format
// 2.1.0 (OASIS, errata 01). The version is that of ldfi.
//
// There is one result for each property that is violated, with the execution that
// breaks it as its code flow. It is an error if it is not as the suite expects;
// what is expected to be violated is a note, and suppressed. A case that is
// inconclusive, or that differs although nothing is violated, is a warning at its
// place in the suite. Cases that could not be asked are notifications, and make
// the invocation unsuccessful. Fingerprints are those of case and property:
// they stay when lines move, and when another schedule is found.
func (r *Report) WriteSARIF(w io.Writer, version string) error {
	s := sarifOf(r, version)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// mostSteps is the number of steps of a code flow that are written.
const mostSteps = 500

// The parts of the format that are used, by the names that it gives them.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool               sarifTool            `json:"tool"`
		AutomationDetails  sarifAutomation      `json:"automationDetails"`
		Invocations        []sarifInvocation    `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifBase `json:"originalUriBaseIds"`
		Results            []sarifResult        `json:"results"`
	}
	sarifAutomation struct {
		ID string `json:"id"`
	}
	sarifBase struct {
		Description sarifMessage `json:"description"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifMessage       `json:"shortDescription"`
		FullDescription      sarifMessage       `json:"fullDescription"`
		Help                 sarifMessage       `json:"help"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifInvocation struct {
		ExecutionSuccessful        bool                `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID              string             `json:"ruleId"`
		RuleIndex           int                `json:"ruleIndex"`
		Level               string             `json:"level"`
		Message             sarifMessage       `json:"message"`
		Locations           []sarifLocation    `json:"locations"`
		RelatedLocations    []sarifLocation    `json:"relatedLocations,omitempty"`
		PartialFingerprints map[string]string  `json:"partialFingerprints"`
		CodeFlows           []sarifCodeFlow    `json:"codeFlows,omitempty"`
		Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifCodeFlow struct {
		Message     sarifMessage      `json:"message"`
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifStep `json:"locations"`
	}
	sarifStep struct {
		Location       sarifLocation `json:"location"`
		ExecutionOrder int           `json:"executionOrder"`
		Importance     string        `json:"importance"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical `json:"physicalLocation"`
		Message          *sarifMessage `json:"message,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
)

// sarifOf is the log of a report.
func sarifOf(r *Report, version string) sarifLog {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name: "ldfi", Version: numeric(version), InformationURI: "https://github.com/lineage-driven/ldfi", Rules: []sarifRule{},
		}},
		AutomationDetails:  sarifAutomation{r.automation()},
		Invocations:        []sarifInvocation{{ExecutionSuccessful: r.Count(Error) == 0}},
		OriginalURIBaseIDs: map[string]sarifBase{"SRCROOT": {text("the directory in which ldfi was run")}},
		Results:            []sarifResult{},
	}
	for _, warning := range r.Warnings {
		run.notify("warning", warning)
	}
	for i := range r.Cases {
		run.add(&r.Cases[i])
	}
	return sarifLog{"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", "2.1.0", []sarifRun{run}}
}

// numeric is a version as consumers of the format compare it: one that starts
// with a number. Others are left out.
func numeric(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return ""
	}
	return version
}

// automation names the kind of run: results replace those of an earlier run of
// the same part of the same suite, and no others.
func (r *Report) automation() string {
	id := "ldfi/" + filepath.ToSlash(r.Suite) + "/"
	if r.Shard != "" {
		id += strings.ReplaceAll(r.Shard, "/", "-") + "/"
	}
	return oneLine(id)
}

// add adds what is known about a case.
func (run *sarifRun) add(c *CaseResult) {
	if c.Answer == nil {
		run.notify("error", c.Name+": "+c.headline(), c.location())
		return
	}
	for _, warning := range subject.Warnings(c.Answer) {
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

func (run *sarifRun) notify(level, message string, at ...sarifLocation) {
	in := &run.Invocations[0]
	in.ToolExecutionNotifications = append(in.ToolExecutionNotifications, sarifNotification{level, text(message), at})
}

// violated adds the result for one property.
func (run *sarifRun) violated(c *CaseResult, v result.Violation) {
	result := sarifResult{
		Level:               "warning",
		Message:             text(c.violationText(v)),
		Locations:           []sarifLocation{c.location()},
		PartialFingerprints: fingerprints(c.Name, v.Property),
		CodeFlows:           c.codeFlows(v),
	}
	if v.File != "" {
		related := c.location()
		related.Message = &sarifMessage{"the case in the suite"}
		result.Locations = []sarifLocation{location(v.Position)}
		result.RelatedLocations = []sarifLocation{related}
	}
	switch c.Outcome {
	case Fail:
		result.Level = "error"
	case Pass:
		result.Level = "note"
		result.Suppressions = []sarifSuppression{{"external", "accepted", "the suite expects the verdict violated"}}
	}
	run.result(sarifRule{
		ID:               oneLine(c.Name + "/" + v.Property),
		ShortDescription: text(fmt.Sprintf("%s: %s", c.Name, v.Property)),
		FullDescription:  text(fmt.Sprintf("No schedule within the bounds breaks the promise %s of the case %s: %s.", v.Property, c.Name, c.Answer.Scope.Bounds)),
		Help:             text("The code flow is an execution that was seen to break the promise: the faults, and the messages that arrive or are lost, round by round. The message of the result ends with the command that executes it again."),
	}, result)
}

// differs adds the result for a case that is not as expected although nothing is
// violated.
func (run *sarifRun) differs(c *CaseResult) {
	rule := sarifRule{
		ID:               oneLine(c.Name + "/expected"),
		ShortDescription: text(c.Name + ": as expected"),
		FullDescription:  text(fmt.Sprintf("The answer to the case %s is the one that the suite expects.", c.Name)),
		Help:             text("If the change is meant, ldfi check --update writes what is found into the suite."),
	}
	if c.Outcome == Inconclusive {
		rule.ID = oneLine(c.Name + "/decided")
		rule.ShortDescription = text(c.Name + ": decided")
		rule.FullDescription = text(fmt.Sprintf("The search for the case %s comes to its end.", c.Name))
		rule.Help = text("Give the case or the suite a larger budget, or the case smaller bounds.")
	}
	run.result(rule, sarifResult{
		Level: "warning", Message: text(fmt.Sprintf("%s: %s.", c.Name, c.headline())),
		Locations: []sarifLocation{c.location()}, PartialFingerprints: fingerprints(c.Name, ""),
	})
}

// result adds a result, and its rule if it is a new one.
func (run *sarifRun) result(rule sarifRule, result sarifResult) {
	rules := &run.Tool.Driver.Rules
	result.RuleID = rule.ID
	result.RuleIndex = slices.IndexFunc(*rules, func(r sarifRule) bool { return r.ID == rule.ID })
	if result.RuleIndex < 0 {
		rule.DefaultConfiguration = sarifConfiguration{result.Level}
		result.RuleIndex = len(*rules)
		*rules = append(*rules, rule)
	}
	run.Results = append(run.Results, result)
}

// fingerprints are the same as long as case and property have their names. The
// second is the one by which GitHub recognises a result.
func fingerprints(name, property string) map[string]string {
	sum := sha256.Sum256([]byte(name + "\x00" + property))
	id := hex.EncodeToString(sum[:])
	return map[string]string{"ldfiCaseAndProperty/v1": id, "primaryLocationLineHash": id[:16] + ":1"}
}

// violationText tells what is violated, by which faults and why.
func (c *CaseResult) violationText(v result.Violation) string {
	head := v.Text
	if c.told(v) {
		head = c.Differs
	} else if c.Differs != "" {
		head += ".\n" + c.Differs
	}
	out := fmt.Sprintf("%s: %s.\nFaults: %s (%s).", c.Name, head, faultsText(c.broken()), sizeText(c.broken()))
	if len(c.broken().Because) > 0 {
		out += "\nBecause: " + strings.Join(c.broken().Because, "\n")
	}
	if c.Again != "" {
		out += "\nAgain: " + c.Again
	}
	return out
}

// codeFlows is the execution that breaks the property, ending where it is broken.
func (c *CaseResult) codeFlows(v result.Violation) []sarifCodeFlow {
	e := c.broken().Execution
	if e == nil {
		return nil
	}
	var steps []sarifStep
	step := func(at sarifLocation, round int, importance, message string) {
		at.Message = &sarifMessage{text(fmt.Sprintf("round %d: %s", round, message)).Text}
		steps = append(steps, sarifStep{at, len(steps) + 1, importance})
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
	return []sarifCodeFlow{{text("the execution under: " + faultsText(c.broken())), []sarifThreadFlow{{steps}}}}
}

// sender is where messages of a relation come from, if that is known; else the
// case.
func (c *CaseResult) sender(relation string) sarifLocation {
	for _, s := range c.broken().Senders {
		if s.Relation == relation {
			return location(s.Position)
		}
	}
	return c.location()
}

// location is the place of the case in the suite.
func (c *CaseResult) location() sarifLocation { return location(c.Position) }

func location(p specs.Position) sarifLocation {
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: artifact(p.File)}}
	if p.Line > 0 {
		at.PhysicalLocation.Region = &sarifRegion{p.Line, max(p.Column, 0)}
	}
	return at
}

// artifact names a file: from the directory in which ldfi was run, if its name
// is relative.
func artifact(file string) sarifArtifact {
	path := (&url.URL{Path: filepath.ToSlash(file)}).String()
	if filepath.IsAbs(file) {
		return sarifArtifact{URI: "file://" + path}
	}
	return sarifArtifact{path, "SRCROOT"}
}

// text is a message in plain text. Braces and brackets would be placeholders and
// links.
func text(message string) sarifMessage {
	return sarifMessage{sarifEscapes.Replace(printable(message))}
}

var sarifEscapes = strings.NewReplacer("{", "{{", "}", "}}", "[", `\[`, "]", `\]`)
